/// A group that reports were filed under.
struct IngestedGroup {
  var id: String
  /// How many were filed now.
  var reports: Int
  var isNew: Bool
  var signature: String
}
