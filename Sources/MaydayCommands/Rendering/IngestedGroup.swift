/// A group that reports were stored under.
struct IngestedGroup {
  var id: String
  /// How many were stored now.
  var reports: Int
  var isNew: Bool
  /// Whether it had been resolved, and was seen in a release in which it should be gone.
  var isRegressed: Bool
  var signature: String

  /// What happened to it, in a word.
  var news: String { isNew ? "new" : isRegressed ? "regressed" : "" }
}
