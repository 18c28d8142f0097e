extension OwnDocumentReader {
  static let about = FormatDescription(
    title: "Mayday's report document", family: .services, symbols: .resolved, since: "0.1.0",
    introduction: """
      What `mayday symbolicate --json` writes: see [report-document.md](report-document.md).
      """,
    facts: [
      ("recognised by", "`schema`, `id` and `format` as keys of the object"),
      (
        "reports",
        """
        each document in the file; the report has the format that it was read from, and is the same \
        but for what follows from it: signature, engine, and which debug files were used
        """
      ),
      ("stacks", "all, with what was found of them; debug files that are given now explain more"),
      (
        "not read",
        """
        documents of stored reports (`received`), since archives have them beside the submission; \
        attachments, a dump's memory
        """
      ),
    ])
}
