package import ServerStore

extension SubmissionStatus.State {
  /// The status in the API.
  package var word: String {
    switch self {
    case .waiting: "waiting"
    case .stored: "stored"
    case .quarantined: "quarantined"
    case .discarded: "discarded"
    }
  }

  package static let words = ["waiting", "stored", "quarantined", "discarded"]
}
