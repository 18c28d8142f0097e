extension LaravelReader {
  static let about = FormatDescription(
    title: "Laravel", family: .languages, symbols: .printed, since: "0.1.0",
    introduction: "Exceptions in the logs of Laravel, and of other programs with Monolog.",
    facts: [
      ("recognised by", #"`"exception":"[object] (`"#),
      ("reason", "type and message; `handled`, since the program goes on"),
      ("stacks", "as of [PHP](#php-php), with those of the exceptions before"),
      ("identity", "the time"),
    ])
}
