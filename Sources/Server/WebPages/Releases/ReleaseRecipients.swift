internal import Rendering
internal import Updates

/// The recipients of a published file, in words.
struct ReleaseRecipients {
  let artefact: Artefact
  /// The names of distribution groups, by their ids.
  let names: [String: String]

  init(of artefact: Artefact, names: [String: String]) {
    self.artefact = artefact
    self.names = names
  }

  /// `Everyone (mandatory), Beta and 3 testers`; empty for a file without any.
  var text: String {
    let groups = artefact.destinations.filter { $0.kind == .group }.map { destination in
      (names[destination.id] ?? "a removed group") + (destination.isMandatory ? " (mandatory)" : "")
    }
    let testers = artefact.destinations.count { $0.kind == .tester }
    let parts =
      groups.sorted() + (testers > 0 ? [GroupText.count(testers, "tester", "testers")] : [])
    guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
    return parts.dropLast().joined(separator: ", ") + " and " + last
  }
}
