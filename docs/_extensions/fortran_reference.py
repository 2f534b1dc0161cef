"""The directive fortran-interface: what a module of Fortran offers, from its sources.

    ```{fortran-interface} ../../bindings/fortran weft
    ```

The first argument is the folder of the sources, relative to the page, the second the module that
programs use, which hands on what other modules have. Each of these becomes a section. Further
sources are in the folder that the setting fortran_generated names.
"""

import re
from itertools import groupby
from pathlib import Path

from docutils import nodes
from fortran_source import Entity, Module, interface
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


def text(line: str) -> list[nodes.Node]:
    """A line of prose, with `code`."""
    return [
        nodes.literal("", part) if i % 2 else nodes.Text(part)
        for i, part in enumerate(line.split("`"))
        if part
    ]


def prose(doc: list[str]) -> list[nodes.Node]:
    """Paragraphs, and indented lines as code."""
    found: list[nodes.Node] = []
    for is_code, group in groupby(doc, lambda line: line.startswith("    ")):
        if is_code:
            code = "\n".join(line[4:] for line in group)
            found.append(nodes.literal_block(code, code, language="fortran"))
            continue
        for paragraph in "\n".join(group).split("\n\n"):
            if paragraph.strip():
                found.append(nodes.paragraph("", "", *text(" ".join(paragraph.split()))))
    return found


class FortranInterface(SphinxDirective):
    required_arguments = 2

    def run(self) -> list[nodes.Node]:
        page, _ = self.get_source_info()
        folder = (Path(page).parent / self.arguments[0]).resolve()
        folders = [folder, Path(self.config.fortran_generated)]
        module, offered = interface(folders, self.arguments[1])
        for source in (file for one in folders for file in one.glob("*.[fF]90")):
            self.env.note_dependency(str(source))
        return [*prose(module.doc), *(self.section(*one) for one in offered)]

    def section(self, module: Module, entities: list[Entity]) -> nodes.section:
        title = " ".join(module.doc).split(".")[0] or module.name
        section = nodes.section(ids=[module.name])
        section += nodes.title("", title)
        for entity in entities:
            doc = [line for line in entity.doc if line not in ("@{", "@}")]
            if doc and doc[0].startswith("@name "):
                section += nodes.rubric("", doc[0].removeprefix("@name "))
                opened = entity.doc.index("@{") if "@{" in entity.doc else len(entity.doc)
                section += prose([x for x in entity.doc[:opened] if x[:1] != "@"])
                doc = entity.doc[opened + 1 :]
            section += self.described(module, entity, doc)
        return section

    def described(self, module: Module, entity: Entity, doc: list[str]) -> addnodes.desc:
        content = [*prose(doc), self.parts(entity)]
        for name, (own, targets) in entity.procedures.items():
            known = [module.entities[one] for one in targets if one in module.entities]
            if name == entity.name:  # an interface
                content += [self.signature_with_arguments(one) for one in known]
            else:
                content += self.bound(f"{entity.name}%{name}", own, known)
        shown = re.sub(r", public|\babstract ", "", entity.declaration)
        return self.object(entity.name, re.sub(r"\s+", " ", shown), content)

    def bound(self, name: str, doc: list[str], procedures: list[Entity]) -> list[addnodes.desc]:
        """A procedure of a type, or several of one name."""
        found = []
        for one in procedures:
            shown = re.sub(r"\b(subroutine|function) \w+", rf"\1 {name}", one.declaration)
            content = [*(prose(doc) if one is procedures[0] else []), *prose(one.doc)]
            found.append(self.object(name, shown, [*content, self.parts(one)], bool(found)))
        return found

    def signature_with_arguments(self, entity: Entity) -> addnodes.desc:
        content = [*prose(entity.doc), self.parts(entity)]
        return self.object(entity.name, entity.declaration, content, True)

    def parts(self, entity: Entity) -> nodes.Node:
        """Components or arguments, one a line."""
        shown = [part for part in entity.parts if part.declaration and part.name != "self"]
        if not shown:
            return nodes.container()
        items = nodes.bullet_list(classes=["fortran-parts"])
        for part in shown:
            paragraph = nodes.paragraph("", "", nodes.literal("", part.declaration))
            if part.doc:
                paragraph += [nodes.Text(" – "), *text(" ".join(part.doc))]
            items += nodes.list_item("", paragraph)
        return items

    def object(
        self, name: str, signature: str, content: list[nodes.Node], again: bool = False
    ) -> addnodes.desc:
        """A description; one that comes again under the same name is no target of links."""
        line = addnodes.desc_signature("", "")
        before, found, behind = signature.partition(name)
        line += addnodes.desc_sig_keyword("", before)
        line += addnodes.desc_name("", found)
        line += addnodes.desc_sig_punctuation("", behind)
        if not again:
            # "weft_plan%info" and "weft_plan_info" are two things
            line["ids"] = [nodes.make_id(f"fortran-{name.replace('%', '-procedure-')}")]
            self.env.get_domain("std").note_object("fortran", name, line["ids"][0], line)
            self.state.document.note_explicit_target(line)
        body = addnodes.desc_content("", *content)
        return addnodes.desc("", line, body, domain="std", objtype="fortran", classes=["fortran"])


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_config_value("fortran_generated", "", "env")
    app.add_object_type("fortran", "fortran", objname="Fortran")
    app.add_directive("fortran-interface", FortranInterface)
    return {"parallel_read_safe": True}
