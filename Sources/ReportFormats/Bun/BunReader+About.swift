extension BunReader {
  static let about = FormatDescription(
    title: "Bun", family: .languages, symbols: .printed, since: "0.1.0",
    introduction:
      "Crashes of the Bun runtime itself. Errors of programs in it are read as JavaScript's.",
    facts: [
      ("recognised by", "`oh no: Bun has crashed.`"),
      ("identity", "version, commit, system"),
      ("reason", "the panic; a signal with its address"),
      ("stacks", "none: it is in the link, in a form of Bun's own"),
    ])
}
