extension DartReader {
  static let about = FormatDescription(
    title: "Dart and Flutter", family: .languages, symbols: .resolved, since: "0.1.0",
    introduction: """

      """,
    facts: [
      (
        "recognised by",
        """
        `Unhandled exception:`, `Unhandled Exception:` before a stack of Dart; `#0 ... \
        (package:FILE:LINE:COLUMN)`, also `dart:` and `file:`; `isolate_dso_base: `; \
        `_kDart...Instructions+OFFSET`
        """
      ),
      (
        "reason",
        """
        type and message; of Flutter's boxes (`EXCEPTION CAUGHT BY ...`) the words in them, \
        `handled`
        """
      ),
      (
        "stacks",
        """
        `exception`. Without names: addresses and offsets into the program, which its debug file \
        (`app.android-arm64.symbols`) resolves
        """
      ),
      ("images", "of such stacks the program, with build id and base"),
      ("positions", "all `return`"),
      (
        "not read",
        """
        names that `--obfuscate` changed, `_kDart...+OFFSET` where neither `virt` nor a base is \
        given
        """
      ),
    ])
}
