internal import Documents
internal import Rendering
internal import APIDocuments
internal import CrashService
internal import CrashModel
internal import CrashStore
package import HTTP
internal import ServerStore
internal import Updates

/// Changes of apps: `POST /api/v1/apps`, `/adopt`, `/rename`, `PUT /keep`, `/prefix`, as `mayday apps` makes them.
package struct AppsEndpoint {
  package let context: ServerContext

  package func show(_ request: Request) throws -> Response {
    try show(request.parameters["name"] ?? "", request)
  }

  /// The app that the body of a change names.
  package func show(appIn request: Request) throws -> Response {
    try show(InputDocument.text("name", in: request) ?? "", request)
  }

  private func show(_ name: String, _ request: Request) throws -> Response {
    let app = try context.service(for: request.head).apps().first { $0.name == name }
    guard let app else { return .problem(.notFound, "\(name.prefix(80)): not found") }
    return .document { $0.write(app) }
  }

  package func add(_ request: Request) throws -> Response {
    let input = try InputDocument(request, names: ["name", "secret"])
    let name = try name("name", input)
    let secret = try input.text("secret")
    guard secret?.isEmpty != true else { throw input.refusal("secret is empty") }
    return try change(request, "add app", name) { try $0.addApp(name, secret: secret) }
  }

  package func adopt(_ request: Request) throws -> Response {
    let input = try InputDocument(request, names: ["secret", "name"])
    let name = try name("name", input)
    guard let secret = try input.text("secret"), !secret.isEmpty else {
      throw input.refusal("secret is missing: the unknown secret, or the start of it")
    }
    return try change(request, "adopt app", name) { try $0.adoptApp(secret: secret, as: name) }
  }

  package func rename(_ request: Request) throws -> Response {
    let input = try InputDocument(request, names: ["name", "to"])
    let (old, new) = (try name("name", input), try name("to", input))
    return try change(request, "rename app", new) { try $0.renameApp(old, to: new) }
  }

  /// What clients are told of releases that fix a crash of theirs.
  package func knownFix(_ request: Request) throws -> Response {
    let input = try InputDocument(request, names: ["name", "policy"])
    let name = try name("name", input)
    guard let policy = try input.text("policy").flatMap(KnownFixPolicy.init(rawValue:)) else {
      throw input.refusal(
        "policy is one of " + KnownFixPolicy.allCases.map(\.rawValue).joined(separator: ", "))
    }
    let caller = try context.access.caller(of: request.head, .admin).get()
    return try change(request, "set known fixes", name) {
      try $0.setKnownFixPolicy(policy, of: name, by: caller.label)
      try context.updates.refresh()
    }
  }

  /// How long reports are kept; a limit that is not named is none.
  package func keep(_ request: Request) throws -> Response {
    let input = try InputDocument(
      request, names: ["name", "days", "bytes", "per_group", "per_day"])
    let name = try name("name", input)
    let retention = Retention(
      days: try input.integer("days", from: 0), bytes: try input.integer("bytes", from: 0),
      perGroup: try input.integer("per_group", from: 0),
      perDay: try input.integer("per_day", from: 0))
    return try change(request, "keep reports", name) { try $0.setRetention(retention, of: name) }
  }

  /// Which prefix the ids of its groups have.
  package func setPrefix(_ request: Request) throws -> Response {
    let input = try InputDocument(request, names: ["name", "prefix"])
    let name = try name("name", input)
    guard let prefix = try input.text("prefix") else {
      throw input.refusal("prefix is missing: such as TERN in TERN-12")
    }
    return try change(request, "set prefix", name) { try $0.setPrefix(prefix, of: name) }
  }

  /// Which of its keys are linked by likeness.
  package func setLinking(_ request: Request) throws -> Response {
    let input = try InputDocument(request, names: ["name", "link"])
    let name = try name("name", input)
    guard let policy = try input.text("link").flatMap({ LinkPolicy($0) }) else {
      throw input.refusal("link is on, off, or a likeness from 0.01 to 1")
    }
    return try change(request, "set linking", name) { try $0.setLinking(policy, of: name) }
  }

  private func name(_ member: String, _ input: InputDocument) throws -> String {
    guard let name = try input.text(member) else {
      throw input.refusal("\(member) is missing: the name of an app")
    }
    return name
  }

  /// Makes a change, notes it, and tells of the app as it is now.
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
