internal import APIDocuments
internal import Bytes
package import CrashService
internal import CrashStore
internal import Documents
package import HTTP
internal import Rendering
package import ServerCore
internal import ServerStore

/// Decisions about groups, like the commands of the same names. The author is the token's label.
package struct TriageEndpoint {
  package let context: ServerContext

  /// `POST /api/v1/groups/:id/ACTION`: changes one group, and returns it.
  package func act(_ action: GroupAction, _ request: Request) throws -> Response {
    let input = try InputDocument.read(request, as: DecisionRequest.one(action))
    let id = request.parameters["id"] ?? ""
    return try .refusing(member: "where") {
      let decided = try decide(input.decision(action), [id], request)
      guard let group = decided.groups.first else { return .empty() }
      return .document { $0.write(group) }
    }
  }

  /// `POST /api/v1/actions/ACTION`: changes several groups, all or none.
  package func actOnSeveral(_ action: GroupAction, _ request: Request) throws -> Response {
    let input = try InputDocument.read(request, as: DecisionRequest.several(action))
    guard let ids = input.groups, (1...GroupAction.mostGroups).contains(ids.count) else {
      throw HTTPError.invalidDocument(
        "groups must be a list of 1 to \(GroupAction.mostGroups) names")
    }
    return try .refusing(member: "where") {
      let decided = try decide(input.decision(action), ids, request)
      return .document { $0.write(decided) }
    }
  }

  private func decide(
    _ decision: GroupDecision, _ ids: [String], _ request: Request
  ) throws -> DecidedGroups {
    let caller = try context.access.caller(of: request.head, .triage).get()
    let decided = try context.service(for: request.head).decide(
      decision, about: ids, by: caller.label)
    for id in ids {
      try context.audit.note(
        .init(
          time: .now, token: caller.id, label: caller.label, action: decision.action.rawValue,
          subject: id, peer: request.peer))
    }
    return decided
  }

  package init(context: ServerContext) {
    self.context = context
  }
}
