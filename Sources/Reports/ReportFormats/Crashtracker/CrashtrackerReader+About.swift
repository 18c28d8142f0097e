extension CrashtrackerReader {
  static let about = FormatDescription(
    title: "Datadog's crash tracker", family: .services, symbols: .resolved, since: "0.1.0",
    introduction: "The JSON of libdatadog's crash tracker, which all of Datadog's tracers write.",
    facts: [
      ("recognised by", "`data_schema_version` beside `error`, `stacktrace` or `sig_info`"),
      ("identity", "service and version of the tags, uuid, time, system, pid"),
      ("reason", "signal, code and address; message; another kind than a signal as type"),
      ("stacks", "the error's, and those of other threads"),
      ("images", "build id, path, base"),
      ("positions", "youngest frame of a thread `exact`, all others `return`"),
      ("not read", "files, counters, the context of the processor"),
    ])
}
