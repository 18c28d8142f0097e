extension RubyReader {
  static let about = FormatDescription(
    title: "Ruby", family: .languages, symbols: .printed, since: "0.1.0",
    introduction: """

      """,
    facts: [
      (
        "recognised by",
        """
        `FILE:LINE:in 'NAME': MESSAGE (TYPE)`, with a backtick before 3.4; lines `FILE:LINE:in \
        'NAME'` after `TYPE (MESSAGE):` of Rails; `[BUG] ` of the interpreter
        """
      ),
      (
        "reason",
        """
        type, message, and the causes that follow; an exception that a thread reports and the \
        main thread raises again is one report
        """
      ),
      ("kind", "`handled` for the log's form, otherwise `crash`"),
      (
        "stacks",
        """
        `exception`; the stacks of Ruby 2, oldest call first, are turned. A crash of the \
        interpreter has one thread: the native frames, then those of Ruby, with registers; \
        modules have their addresses by the memory map
        """
      ),
      ("positions", "all `return`"),
      ("not read", "loaded features, control frames"),
    ])
}
