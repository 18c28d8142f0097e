internal import APIDocuments
internal import Bytes
internal import CrashService
internal import CrashStore
internal import Documents
package import HTTP
package import ServerCore
internal import ServerStore
internal import Updates

/// `/api/v1/remote-config/:app`: the remote configurations of apps, as `mayday remote-config` changes them.
package struct RemoteConfigurationEndpoint {
  package let context: ServerContext

  package init(context: ServerContext) {
    self.context = context
  }

  /// Returns the served configuration, or the one with a number.
  package func show(_ request: Request) throws -> Response {
    var number: Int?
    if let text = request.parameters["number"] {
      guard let wanted = Int(text), wanted >= 0 else {
        return .problem(.notFound, "\(text.prefix(20).description.printable): not a number")
      }
      number = wanted
    }
    return try .refusing {
      let configuration = try context.service(for: request.head)
        .remoteConfiguration(number, of: app(request))
      return .document { $0.write(configuration) }
    }
  }

  package func history(_ request: Request) throws -> Response {
    try .refusing {
      let paging = try ListPaging(request)
      let history = try context.service(for: request.head).remoteConfigurations(of: app(request))
      return .page(paging.page(of: history) { "\($0.number)" }) { $0.write($1) }
    }
  }

  package func publish(_ request: Request) throws -> Response {
    let input = try ConfigurationPublication(request)
    return try change(
      request, "publish remote configuration", follows: input.followsReleases, input.note
    ) { try $0.publish(RemoteConfiguration(input.text.utf8), $1) }
  }

  package func edit(_ request: Request) throws -> Response {
    let input = try ConfigurationEdit(request)
    return try change(
      request, "edit remote configuration", follows: input.followsReleases, input.note
    ) { try $0.edit(input.edit, $1) }
  }

  package func rollBack(_ request: Request) throws -> Response {
    let input = try ConfigurationRollback(request)
    return try change(request, "roll back remote configuration", input.note) {
      try $0.rollBack(to: input.number, $1)
    }
  }

  private func app(_ request: Request) -> String { request.parameters["app"] ?? "" }

  private func change(
    _ request: Request, _ action: String, follows: Bool? = nil, _ note: String?,
    _ body: (any CrashService, ConfigurationChange) throws -> PublishedConfiguration
  ) throws -> Response {
    let caller = try context.access.caller(of: request.head, .triage).get()
    let change = ConfigurationChange(
      app: app(request), author: caller.label, note: note, followsReleases: follows)
    return try .refusing(member: "document") {
      let published = try body(context.service(for: request.head), change)
      try context.audit.note(
        .init(
          time: .now, token: caller.id, label: caller.label, action: action,
          subject: "\(published.app) \(published.number)", peer: request.peer))
      try context.updates.refresh()
      return .document { $0.write(published) }
    }
  }
}
