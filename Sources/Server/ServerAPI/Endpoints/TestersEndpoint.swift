internal import APIDocuments
internal import CrashService
internal import CrashStore
internal import Documents
package import HTTP
internal import JSON
package import ServerCore
internal import ServerStore
internal import Updates

/// Endpoints for people who test releases.
package struct TestersEndpoint {
  package let context: ServerContext

  package func list(_ request: Request) throws -> Response {
    let app = try ReleaseRequest.app(of: request)
    return try .refusing {
      let testers = try context.service(for: request.head).testers(of: app)
      return .page(try ListPaging(request).page(of: testers, key: \.id)) { $0.write($1) }
    }
  }

  package func invite(_ request: Request) throws -> Response {
    let input = try InputDocument(request)
    let (app, email) = try Self.names(in: input)
    guard let group = try input.text("group"), !group.isEmpty else {
      throw input.refusal("group is missing", "group")
    }
    let change = try ReleaseRequest(request, context)
    return try .refusing {
      let invited = try change.service.inviteTester(
        email, to: group, of: app, by: change.author)
      try change.finish("invite tester", "\(app) \(invited.tester.email)")
      return .document(status: .created) { $0.write(invited) }
    }
  }

  package func remove(_ request: Request) throws -> Response {
    let input = try InputDocument(request)
    let (app, email) = try Self.names(in: input)
    let group = try input.text("group")
    let change = try ReleaseRequest(request, context)
    return try .refusing {
      try change.service.removeTester(email, from: group, of: app, by: change.author)
      try change.finish("remove tester", "\(app) \(email)")
      return .empty()
    }
  }

  package func revoke(_ request: Request) throws -> Response {
    let (app, email) = try Self.names(in: InputDocument(request))
    let change = try ReleaseRequest(request, context)
    return try .refusing {
      let count = try change.service.revokeTester(email, of: app, by: change.author)
      try change.finish("revoke tester", "\(app) \(email)")
      return .document { writer in
        writer.beginObject()
        writer.member("revoked", count)
        writer.endObject()
      }
    }
  }

  private static func names(in input: InputDocument) throws -> (app: String, email: String) {
    guard let app = try input.text("app"), let email = try input.text("email"), !email.isEmpty
    else { throw input.refusal("app and email, the tester's address, are required") }
    return (try AppName.checked(app, isMember: true), email)
  }

  package init(context: ServerContext) {
    self.context = context
  }
}
