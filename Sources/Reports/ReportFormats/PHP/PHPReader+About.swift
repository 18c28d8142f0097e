extension PHPReader {
  static let about = FormatDescription(
    title: "PHP", family: .languages, symbols: .printed, since: "0.1.0",
    introduction: """

      """,
    facts: [
      (
        "recognised by",
        """
        `Fatal error:` and `Parse error:` with `Uncaught ` and a stack or with a location at the \
        end, `PHP Warning:  `, `PHP Notice:  `, `PHP Deprecated:  ` with a location
        """
      ),
      (
        "reason",
        """
        type, message; the exceptions before `Next ` are causes of the last one. `Allowed memory \
        size` is `oom`; warnings are `handled`
        """
      ),
      (
        "stacks",
        """
        functions with the lines *in* them, so that the youngest has the line that failed; PHP \
        prints where each was called. Also Xdebug's
        """
      ),
    ],
    notes: """
      What PHP writes to its log and prints again is one report.
      """)
}
