extension GodotReader {
  static let about = FormatDescription(
    title: "Godot", family: .engines, symbols: .printed, since: "0.1.0",
    introduction: "Crashes of the Godot engine, and errors of scripts in it.",
    facts: [
      (
        "recognised by",
        "`handle_crash: Program crashed`, `CrashHandlerException: Program crashed`, `SCRIPT ERROR: `"
      ),
      ("reason", "the signal; of scripts, after which the game goes on (`handled`), the words"),
      ("identity", "the program, the engine's version as `wrapper.version`"),
      ("stacks", "one thread; of scripts the place and the backtrace of Godot 4.5"),
      ("positions", "youngest frame `exact`, all others `return`"),
      ("not read", "errors of the engine itself (`ERROR: `)"),
    ])
}
