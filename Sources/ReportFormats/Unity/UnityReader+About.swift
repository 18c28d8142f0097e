extension UnityReader {
  static let about = FormatDescription(
    title: "Unity", family: .engines, symbols: .printed, since: "0.1.0",
    introduction: """

      """,
    facts: [
      (
        "recognised by",
        """
        a stack with `UnityEngine.Debug...` or `(at Assets/FILE:LINE)`; `OUTPUTTING STACK TRACE`; \
        `Obtained N stack frames.`
        """
      ),
      ("reason", "the line before the stack: exception or message. The engine goes on: `handled`"),
      ("stacks", "the exception's; of a crash of the player one thread with names and modules"),
      ("positions", "all `return`"),
    ])
}
