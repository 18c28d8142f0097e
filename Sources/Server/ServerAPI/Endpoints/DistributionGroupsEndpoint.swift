internal import APIDocuments
internal import CrashService
internal import CrashStore
internal import Documents
package import HTTP
package import ServerCore
internal import ServerStore
internal import Updates

/// Groups of people who get the same releases.
package struct DistributionGroupsEndpoint {
  package let context: ServerContext

  package func list(_ request: Request) throws -> Response {
    let app = try ReleaseRequest.app(of: request)
    return try .refusing {
      let groups = try context.service(for: request.head).distributionGroups(of: app)
      return .page(try ListPaging(request).page(of: groups, key: \.id)) { $0.write($1) }
    }
  }

  package func add(_ request: Request) throws -> Response {
    let input = try InputDocument(request)
    let (app, name) = try Self.names(in: input)
    let isPublic = try input.flag("public") ?? false
    let change = try ReleaseRequest(request, context)
    return try .refusing {
      let group = try change.service.addDistributionGroup(
        name, isPublic: isPublic, to: app, by: change.author)
      try change.finish("add distribution group", "\(app) \(name)")
      return .document(status: .created) { $0.write(group) }
    }
  }

  package func edit(_ request: Request) throws -> Response {
    let input = try InputDocument(request)
    let (app, name) = try Self.names(in: input)
    let (newName, isPublic) = (try input.text("to"), try input.flag("public"))
    let change = try ReleaseRequest(request, context)
    return try .refusing {
      let group = try change.service.editDistributionGroup(
        name, of: app, name: newName, isPublic: isPublic, by: change.author)
      try change.finish("edit distribution group", "\(app) \(name)")
      return .document { $0.write(group) }
    }
  }

  package func remove(_ request: Request) throws -> Response {
    let (app, name) = try Self.names(in: InputDocument(request))
    let change = try ReleaseRequest(request, context)
    return try .refusing {
      try change.service.removeDistributionGroup(name, of: app, by: change.author)
      try change.finish("remove distribution group", "\(app) \(name)")
      return .empty()
    }
  }

  private static func names(in input: InputDocument) throws -> (app: String, name: String) {
    guard let app = try input.text("app"), let name = try input.text("name"), !name.isEmpty else {
      throw input.refusal("app and name, the name of the group, are required")
    }
    return (try AppName.checked(app, isMember: true), name)
  }

  package init(context: ServerContext) {
    self.context = context
  }
}
