# Completion of weft for bash: the command itself knows what it takes.
# shellcheck source=/dev/null
source <("${COMP_WORDS[0]:-weft}" completion bash 2>/dev/null)
