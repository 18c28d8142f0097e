import Bytes
import CrashModel
import CrashStore
import HTTP
import JSON
import ServerStore

/// `POST /api/v1/groups/:id/:action`: what people decide about a group, as the commands of the same
/// names do it. The author is the token's label.
struct TriageEndpoint {
  let service: Service

  private static let actions = [
    "resolve", "reopen", "ignore", "assign", "note", "merge", "unmerge", "undo",
  ]

  func act(_ request: Request) throws -> Response {
    let action = request.parameters["action"] ?? ""
    guard Self.actions.contains(action) else {
      return .problem(.notFound, "actions are \(Self.actions.joined(separator: ", "))")
    }
    var input = JSONValue.object([])
    if !request.bytes.isEmpty {
      guard let document = try? JSONDocument.parse(request.bytes), document.value.object != nil
      else { return .problem(.badRequest, "the body is no JSON object") }
      input = document.value
    }
    let id = request.parameters["id"] ?? ""
    let caller = try service.access.caller(of: request.head, .triage).get()
    return try .refusing {
      let groups = try groups(action, id, input, by: caller.label)
      try service.audit.note(
        .init(
          time: .now, token: caller.id, label: caller.label, action: action, subject: id,
          peer: request.peer))
      guard let group = groups.first else { return .empty() }
      return .document { writer in
        writer.beginObject()
        writer.writeMembers(of: group)
        writer.endObject()
      }
    }
  }

  private func groups(
    _ action: String, _ id: String, _ input: JSONValue, by author: String
  ) throws -> [GroupSummary] {
    let store = service.store
    switch action {
    case "resolve":
      let resolution: Resolution =
        input["next"]?.bool == true
        ? .next : input["in"]?.string.map { .inRelease(Release($0)) } ?? .afterNewestSeen
      return try store.resolve([id], resolution, by: author)
    case "reopen": return try store.reopen([id], by: author)
    case "ignore":
      var until: Timestamp?
      if let text = input["for"]?.string {
        guard let length = TimeLength(argument: text) else {
          throw HTTPError.refused(.badRequest, "for is a length of time such as 30d")
        }
        until = length.end(from: .now)
      }
      let condition = IgnoreCondition(
        reports: input["until"]?.integer, users: input["users"]?.integer, until: until)
      return try store.ignore([id], condition, by: author)
    case "assign": return try store.assign([id], to: input["to"]?.string, by: author)
    case "note": return try store.note([id], input["text"]?.string ?? "", by: author)
    case "merge":
      guard let whole = input["into"]?.string else {
        throw HTTPError.refused(.badRequest, "into names the group that it becomes a part of")
      }
      return [try store.merge([id], into: whole, by: author)]
    case "unmerge": return try store.unmerge([id], by: author)
    default: return try store.undo([id], line: input["line"]?.integer, by: author)
    }
  }
}
