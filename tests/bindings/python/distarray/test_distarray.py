"""Every check of every file beside this one, on 1, 2, 3 and 5 ranks."""


def test_check(check, results):
    ranks, module, name = check
    failures, job = results(ranks, module)
    assert name in failures, f"the job ended before:\n{job.stdout}\n{job.stderr}"
    assert failures[name] == "", failures[name]
    assert job.returncode == 0, job.stderr
