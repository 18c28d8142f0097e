extension MonoCrashReader {
  static let about = FormatDescription(
    title: "Mono's crash files", family: .languages, symbols: .resolved, since: "0.1.0",
    introduction: "The file `mono_crash.*.json` that Mono writes when it dies of a signal.",
    facts: [
      ("recognised by", "JSON with `protocol_version` and `configuration` or `threads`"),
      ("identity", "version of Mono, processor"),
      ("stacks", "all threads: of each the native frames, then the managed ones"),
      ("images", "the assemblies with their ids, the native modules"),
      ("positions", "all `return`; offsets into a method are kept as `symbol_offset`"),
    ])
}
