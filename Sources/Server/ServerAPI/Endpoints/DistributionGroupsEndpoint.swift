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
    let input = try NewDistributionGroup(request)
    let change = try ReleaseRequest(request, context)
    return try .refusing {
      let group = try change.service.addDistributionGroup(
        input.name, isPublic: input.isPublic, to: input.app, by: change.author)
      try change.finish("add distribution group", "\(input.app) \(input.name)")
      return .document(status: .created) { $0.write(group) }
    }
  }

  package func edit(_ request: Request) throws -> Response {
    let input = try DistributionGroupEdit(request)
    let change = try ReleaseRequest(request, context)
    return try .refusing {
      let group = try change.service.editDistributionGroup(
        input.name, of: input.app, name: input.newName, isPublic: input.isPublic,
        by: change.author)
      try change.finish("edit distribution group", "\(input.app) \(input.name)")
      return .document { $0.write(group) }
    }
  }

  package func remove(_ request: Request) throws -> Response {
    let input = try DistributionGroupRemoval(request)
    let change = try ReleaseRequest(request, context)
    return try .refusing {
      try change.service.removeDistributionGroup(input.name, of: input.app, by: change.author)
      try change.finish("remove distribution group", "\(input.app) \(input.name)")
      return .empty()
    }
  }

  package init(context: ServerContext) {
    self.context = context
  }
}
