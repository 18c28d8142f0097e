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
        `Obtained N stack frames.`; `NAME caused an … (0x…)` before ` in module `, of `error.log`
        """
      ),
      (
        "reason",
        "the line before the stack: exception or message. The engine goes on: `handled`. Of `error.log`"
          + " the exception by its code and the address"
      ),
      ("stacks", "the exception's; of a crash of the player one thread with names and modules"),
      ("positions", "all `return`; the first of `error.log` `exact`"),
    ])
}
