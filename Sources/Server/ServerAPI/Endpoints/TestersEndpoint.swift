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
    let input = try TesterInvitation(request)
    let change = try ReleaseRequest(request, context)
    return try .refusing {
      let invited = try change.service.inviteTester(
        input.email, to: input.group, of: input.app, by: change.author, mails: input.mails)
      try change.finish("invite tester", "\(input.app) \(invited.tester.email)")
      return .document(status: .created) { $0.write(invited) }
    }
  }

  package func resend(_ request: Request) throws -> Response {
    let input = try InvitationResending(request)
    let change = try ReleaseRequest(request, context)
    return try .refusing {
      let invited = try change.service.resendInvitation(
        input.email, of: input.app, by: change.author, mails: input.mails)
      try change.finish("invite tester", "\(input.app) \(invited.tester.email)")
      return .document(status: .created) { $0.write(invited) }
    }
  }

  package func mails(_ request: Request) throws -> Response {
    let app = try ReleaseRequest.app(of: request)
    return try .refusing {
      let mails = try context.service(for: request.head).testerMails(of: app)
      return .page(try ListPaging(request).page(of: mails) { "\($0.number)" }) { $0.write($1) }
    }
  }

  package func remove(_ request: Request) throws -> Response {
    let input = try TesterRemoval(request)
    let change = try ReleaseRequest(request, context)
    return try .refusing {
      try change.service.removeTester(
        input.email, from: input.group, of: input.app, by: change.author)
      try change.finish("remove tester", "\(input.app) \(input.email)")
      return .empty()
    }
  }

  package func revoke(_ request: Request) throws -> Response {
    let input = try TesterRevocation(request)
    let change = try ReleaseRequest(request, context)
    return try .refusing {
      let count = try change.service.revokeTester(
        input.email, of: input.app, by: change.author, onlyInvitations: input.onlyInvitations)
      try change.finish("revoke tester", "\(input.app) \(input.email)")
      return .document { writer in
        writer.beginObject()
        writer.member("revoked", count)
        writer.endObject()
      }
    }
  }

  package init(context: ServerContext) {
    self.context = context
  }
}
