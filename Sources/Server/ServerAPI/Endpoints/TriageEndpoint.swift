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
    let input = try InputDocument(request)
    let id = request.parameters["id"] ?? ""
    return try .refusing(member: "where") {
      let decided = try decide(action, [id], input, request)
      guard let group = decided.groups.first else { return .empty() }
      return .document { $0.write(group) }
    }
  }

  /// `POST /api/v1/actions/ACTION`: changes several groups, all or none.
  package func actOnSeveral(_ action: GroupAction, _ request: Request) throws -> Response {
    let input = try InputDocument(request)
    guard let ids = try input.texts("groups"), !ids.isEmpty, ids.count <= GroupAction.mostGroups
    else { throw input.refusal("groups must be a list of 1 to \(GroupAction.mostGroups) names") }
    return try .refusing(member: "where") {
      let decided = try decide(action, ids, input, request)
      return .document { $0.write(decided) }
    }
  }

  private func decide(
    _ action: GroupAction, _ ids: [String], _ input: InputDocument, _ request: Request
  ) throws -> DecidedGroups {
    let caller = try context.access.caller(of: request.head, .triage).get()
    let decision = try GroupDecision(action, input)
    let decided = try context.service(for: request.head).decide(
      decision, about: ids, by: caller.label)
    for id in ids {
      try context.audit.note(
        .init(
          time: .now, token: caller.id, label: caller.label, action: action.rawValue, subject: id,
          peer: request.peer))
    }
    return decided
  }

  package init(context: ServerContext) {
    self.context = context
  }
}
