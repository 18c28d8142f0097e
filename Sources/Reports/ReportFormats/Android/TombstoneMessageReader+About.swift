extension TombstoneMessageReader {
  static let about = FormatDescription(
    title: "Android tombstones as protobuf", family: .android, symbols: .resolved, since: "0.1.0",
    introduction: """
      `/data/tombstones/*.pb`, and what `ApplicationExitInfo.getTraceInputStream()` gives of a \
      native crash, since Android 12.
      """,
    facts: [
      (
        "recognised by",
        "a first field that is a fingerprint, and a signal or a thread among the fields"
      ),
      ("identity, reason, stacks", "as of the text"),
      ("images", "those that frames name, with their addresses and build ids"),
      ("positions", "youngest frame `exact`, all others `adjusted`"),
      ("not read", "as of the text"),
    ])
}
