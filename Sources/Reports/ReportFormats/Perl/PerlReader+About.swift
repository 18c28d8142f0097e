extension PerlReader {
  static let about = FormatDescription(
    title: "Perl", family: .languages, symbols: .printed, since: "0.1.0",
    introduction: "Messages of `die`, `warn` and Carp, anywhere in a log.",
    facts: [
      (
        "recognised by",
        "a message that ends with `at FILE line N.`, where the file ends with `.pl` or `.pm`"
      ),
      ("reason", "the message"),
      ("kind", "known warnings are `handled`"),
      ("stacks", "those of Carp, as functions with the lines in them"),
      ("positions", "all `return`"),
      ("not read", "arguments"),
    ])
}
