extension JavaTraceReader {
  static let about = FormatDescription(
    title: "Java", family: .languages, symbols: .resolved, since: "0.1.0",
    introduction: """
      Traces of Java, Kotlin, Scala, Clojure and Groovy as the machine, Android and loggers print \
      them, and dumps of all threads, anywhere in a log, several in a file.
      """,
    facts: [
      (
        "recognised by",
        """
        a call with a place (`(Desk.java:12)`, `(SourceFile:7)`, `(Unknown Source:9)`, \
        `(r8-map-id-48ffd94:3)`) after the line of an exception; `Full thread dump `
        """
      ),
      (
        "reason",
        """
        class and message of all lines; `Caused by:` as causes, also in logback's order with the \
        root first (`Wrapped by:`); a circle of causes is a note
        """
      ),
      (
        "stacks",
        """
        of each exception, with the calls that `... N more` stands for; suppressed exceptions \
        beside them, under their own line. Of a dump all threads
        """
      ),
      (
        "kind",
        """
        handled if the trace or the line above it has the level of a logger; a dump is a \
        snapshot, after `Java-level deadlock` a hang with the tag `lock.holder`
        """
      ),
      (
        "identity",
        """
        of Android: the process and its id, the thread; of xCrash: app, version, system, device
        """
      ),
      ("tags", "`thread.name`, `runtime.name`"),
      (
        "names",
        """
        without module and class loader (`java.base@17.0.15/`, `app//`), places without jar files \
        (`~[tern.jar:1.2]`)
        """
      ),
      (
        "shortened names",
        "from [mappings](debug-files.md#mappings-of-r8-and-proguard) of R8 and ProGuard"
      ),
      ("not read", "locked objects of other threads than the deadlock's"),
    ])
}
