internal import APIDocuments
internal import CrashService
internal import CrashStore
internal import Documents
package import HTTP
internal import Rendering
package import ServerCore
internal import ServerStore

/// Changes of apps: `POST /api/v1/apps`, `/adopt`, `/rename`, `PUT /keep`, `/prefix`, like `mayday apps`.
package struct AppsEndpoint {
  package let context: ServerContext

  package func show(_ request: Request) throws -> Response {
    try show(request.parameters["name"] ?? "", request)
  }

  /// Returns the app named in a request's body.
  package func show(appIn request: Request) throws -> Response {
    try show(InputDocument.app(changedBy: request) ?? "", request)
  }

  private func show(_ name: String, _ request: Request) throws -> Response {
    let app = try context.service(for: request.head).apps().first { $0.name == name }
    guard let app else { return .problem(.notFound, "\(name.prefix(80)): not found") }
    return .document { $0.write(app) }
  }

  package func add(_ request: Request) throws -> Response {
    let input = try NewApp(request)
    return try change(request, "add app", input.name) {
      try $0.addApp(input.name, secret: input.secret)
    }
  }

  package func adopt(_ request: Request) throws -> Response {
    let input = try SecretAdoption(request)
    return try change(request, "adopt app", input.name) {
      try $0.adoptApp(secret: input.secret, as: input.name)
    }
  }

  package func rename(_ request: Request) throws -> Response {
    let input = try AppRenaming(request)
    return try change(request, "rename app", input.newName) {
      try $0.renameApp(input.name, to: input.newName)
    }
  }

  /// Sets how clients learn of releases that fix their crashes.
  package func knownFix(_ request: Request) throws -> Response {
    let input = try AppKnownFixes(request)
    let caller = try context.access.caller(of: request.head, .admin).get()
    return try change(request, "set known fixes", input.name) {
      try $0.setKnownFixPolicy(input.policy, of: input.name, by: caller.label)
      try context.updates.refresh()
    }
  }

  /// Sets how long reports are retained; a missing limit means no limit.
  package func keep(_ request: Request) throws -> Response {
    let input = try AppRetention(request)
    return try change(request, "keep reports", input.name) {
      try $0.setRetention(input.retention, of: input.name)
    }
  }

  /// Sets the prefix of the app's group ids.
  package func setPrefix(_ request: Request) throws -> Response {
    let input = try AppPrefix(request)
    return try change(request, "set prefix", input.name) {
      try $0.setPrefix(input.prefix, of: input.name)
    }
  }

  /// Sets which of the app's keys are linked by likeness.
  package func setLinking(_ request: Request) throws -> Response {
    let input = try AppLinking(request)
    return try change(request, "set linking", input.name) {
      try $0.setLinking(input.policy, of: input.name)
    }
  }

  /// Sets the app's tracker; without an address, it has none.
  package func setTracker(_ request: Request) throws -> Response {
    let input = try AppTracker(request)
    let tracker = try input.tracker
    return try change(request, "set tracker", input.name) {
      try $0.setTracker(tracker, of: input.name)
    }
  }

  /// Sets the roles that see parts of the app's reports; a missing part is for every role.
  package func protect(_ request: Request) throws -> Response {
    let input = try AppProtection(request)
    return try change(request, "protect reports", input.name) {
      try $0.setProtection(input.protection, of: input.name)
    }
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
      let apps = try service.apps()
      guard let app = apps.first(where: { $0.name == name }) else {
        throw StoreError.unknownApp(name, among: apps.map(\.name))
      }
      return .document { $0.write(app) }
    }
  }

  package init(context: ServerContext) {
    self.context = context
  }
}
