extension BunReader {
  static let about = FormatDescription(
    title: "Bun", family: .languages, symbols: .resolved, since: "0.1.0",
    introduction:
      "Crashes of the Bun runtime itself. Errors of programs in it are read as JavaScript's.",
    facts: [
      ("recognised by", "`oh no: Bun has crashed.`"),
      ("identity", "version, commit, system"),
      ("reason", "the panic; a signal with its address"),
      (
        "stacks",
        "one thread, from the link: offsets into Bun and other images; calls in none are kept"
      ),
      ("positions", "`adjusted`"),
    ])
}
