internal import APIDocuments
internal import CrashService
internal import CrashStore
internal import Documents
package import HTTP
internal import Rendering
package import ServerCore
internal import ServerStore
internal import TriageModel
internal import Updates

/// Changes of apps: `POST /api/v1/apps`, `/adopt`, `/rename`, `PUT /keep`, `/prefix`, like `mayday apps`.
package struct AppsEndpoint {
  package let context: ServerContext

  package func show(_ request: Request) throws -> Response {
    try show(request.parameters["name"] ?? "", request)
  }

  /// Returns the app named in a request's body.
  package func show(appIn request: Request) throws -> Response {
    try show(InputDocument.text("name", in: request) ?? "", request)
  }

  private func show(_ name: String, _ request: Request) throws -> Response {
    let app = try context.service(for: request.head).apps().first { $0.name == name }
    guard let app else { return .problem(.notFound, "\(name.prefix(80)): not found") }
    return .document { $0.write(app) }
  }

  package func add(_ request: Request) throws -> Response {
    let input = try InputDocument(request)
    let name = try name("name", input)
    let secret = try input.text("secret")
    guard secret?.isEmpty != true else { throw input.refusal("secret is empty") }
    return try change(request, "add app", name) { try $0.addApp(name, secret: secret) }
  }

  package func adopt(_ request: Request) throws -> Response {
    let input = try InputDocument(request)
    let name = try name("name", input)
    guard let secret = try input.text("secret"), !secret.isEmpty else {
      throw input.refusal("secret is missing: the unknown secret, or its first characters")
    }
    return try change(request, "adopt app", name) { try $0.adoptApp(secret: secret, as: name) }
  }

  package func rename(_ request: Request) throws -> Response {
    let input = try InputDocument(request)
    let (old, new) = (try name("name", input), try name("to", input))
    return try change(request, "rename app", new) { try $0.renameApp(old, to: new) }
  }

  /// Sets how clients learn of releases that fix their crashes.
  package func knownFix(_ request: Request) throws -> Response {
    let input = try InputDocument(request)
    let name = try name("name", input)
    guard let policy = try input.text("policy").flatMap(KnownFixPolicy.init(rawValue:)) else {
      throw input.refusal(
        "policy must be one of " + KnownFixPolicy.allCases.map(\.rawValue).joined(separator: ", "))
    }
    let caller = try context.access.caller(of: request.head, .admin).get()
    return try change(request, "set known fixes", name) {
      try $0.setKnownFixPolicy(policy, of: name, by: caller.label)
      try context.updates.refresh()
    }
  }

  /// Sets how long reports are retained; a missing limit means no limit.
  package func keep(_ request: Request) throws -> Response {
    let input = try InputDocument(request)
    let name = try name("name", input)
    let retention = Retention(
      days: try input.integer("days", from: 0), bytes: try input.integer("bytes", from: 0),
      perGroup: try input.integer("per_group", from: 0),
      perDay: try input.integer("per_day", from: 0))
    return try change(request, "keep reports", name) { try $0.setRetention(retention, of: name) }
  }

  /// Sets the prefix of the app's group ids.
  package func setPrefix(_ request: Request) throws -> Response {
    let input = try InputDocument(request)
    let name = try name("name", input)
    guard let prefix = try input.text("prefix") else {
      throw input.refusal("prefix is missing; for example TERN in TERN-12")
    }
    return try change(request, "set prefix", name) { try $0.setPrefix(prefix, of: name) }
  }

  /// Sets which of the app's keys are linked by likeness.
  package func setLinking(_ request: Request) throws -> Response {
    let input = try InputDocument(request)
    let name = try name("name", input)
    guard let policy = try input.text("link").flatMap({ LinkPolicy($0) }) else {
      throw input.refusal("link must be on, off, or a likeness from 0.01 to 1")
    }
    return try change(request, "set linking", name) { try $0.setLinking(policy, of: name) }
  }

  private func name(_ member: String, _ input: InputDocument) throws -> String {
    guard let name = try input.text(member) else {
      throw input.refusal("\(member), the name of an app, is missing")
    }
    return name
  }

  /// Makes a change, records it in the audit log, and returns the app as it is now.
  private func change(
    _ request: Request, _ action: String, _ name: String, _ body: (any CrashService) throws -> Void
  ) throws -> Response {
    let caller = try context.access.caller(of: request.head, .admin).get()
    return try .refusing {
      let service = try context.service(for: request.head)
      try body(service)
      try context.audit.note(
        .init(
          time: .now, token: caller.id, label: caller.label, action: action, subject: name,
          peer: request.peer))
      guard let app = try service.apps().first(where: { $0.name == name }) else {
        throw StoreError.notFound(name)
      }
      return .document { $0.write(app) }
    }
  }

  package init(context: ServerContext) {
    self.context = context
  }
}
