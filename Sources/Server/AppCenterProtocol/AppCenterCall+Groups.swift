internal import APIDocuments
internal import CrashService
package import CrashStore
internal import HTTP
package import Identifiers
package import JSON
package import ReportDocument
internal import ServerCore
package import TriageModel

/// Facts and decisions about a group that several families share.
extension AppCenterCall {
  /// Returns the exemplar of a group; `nil` if no report is left.
  package func exemplar(of group: GroupSummary) throws -> StoredReport? {
    group.exemplar.isEmpty ? nil : try stored(store.reports.get(group.exemplar))
  }

  /// Returns the exemplar of the group that the path names.
  package func exemplar() throws -> StoredReport {
    let group = try group()
    guard let exemplar = try exemplar(of: group) else {
      throw StoreError.notFound("a report of \(group.id)")
    }
    return exemplar
  }

  /// The newest release it was seen in.
  package func release(of group: GroupSummary) throws -> Release {
    try store.groups.release(listedAs: group.versions.last?.version ?? "", ofGroup: group.id)
  }

  /// The newest note that was not deleted.
  package func annotation(of group: GroupSummary) throws -> String? {
    try store.groups.history(ofGroup: group.id).filter { $0.event == "noted" && $0.undone == nil }
      .max { $0.number < $1.number }?.detail
  }

  /// The JSON document in the body.
  package func input() throws -> JSONValue? {
    try request.requireJSON()
    guard let value = try? JSONDocument.parse(request.bytes).value, value.object != nil else {
      return nil
    }
    return value
  }

  /// Sets a group's state, in App Center's terms, and its note; `nil` leaves either unchanged.
  package func decide(_ group: GroupSummary, state: String?, annotation: String?) throws {
    if let state, !["open", "closed", "ignored"].contains(state) {
      throw HTTPError.refused(.badRequest, "state must be open, closed or ignored")
    }
    // A refused note must not leave the state changed.
    if let annotation, annotation.contains(where: { !$0.isWhitespace }),
      annotation != (try self.annotation(of: group))
    {
      try store.triage.note([group.id], annotation, by: caller.label)
      try note("note", group.id)
    }
    guard let state, state != group.state.inAppCenter else { return }
    switch state {
    case "open": try store.triage.reopen([group.id], by: caller.label)
    case "closed": try store.triage.resolve([group.id], by: caller.label)
    default: try store.triage.ignore([group.id], by: caller.label)
    }
    try note(state == "open" ? "reopen" : state == "closed" ? "resolve" : "ignore", group.id)
  }

  /// Deletes a report with its files.
  package func remove(_ record: ReportRecord) throws {
    try store.retention.remove(reports: [record.summary.id], at: .now)
    try note("remove report", record.summary.id)
  }
}
