internal import CrashService
internal import CrashStore
package import HTTP
internal import ReportDocument
package import ServerCore
internal import ServerStore

/// Deletes single reports and debug files, as `mayday remove` and `mayday symbols remove` do.
package struct RemovalEndpoint {
  package let context: ServerContext

  /// `DELETE /api/v1/reports/:id`
  package func report(_ request: Request) throws -> Response {
    try .refusing {
      let id = request.parameters["id"] ?? ""
      let report = try context.service(for: request.head).report(id, sourceLines: nil).id
      try context.store.retention.remove(reports: [report], at: .now)
      try note("remove report", report, request)
      return .empty()
    }
  }

  /// `DELETE /api/v1/symbols/:id`: refused if stored reports need a file, unless forced.
  package func debugFiles(_ request: Request) throws -> Response {
    try .refusing {
      let files = try context.store.debugFiles.uses().called(request.parameters["id"] ?? "")
      let needed = files.count { $0.reports > 0 }
      guard needed == 0 || request.query["force"] == "true" else {
        return .problem(
          .conflict,
          "nothing was removed: stored reports need \(needed) of \(files.count) files; "
            + "force=true removes them anyway")
      }
      try context.store.debugFiles.remove(files.map(\.digest))
      for file in files { try note("remove symbols", file.digest, request) }
      return .empty()
    }
  }

  private func note(_ action: String, _ subject: String, _ request: Request) throws {
    let caller = try context.access.caller(of: request.head, .admin).get()
    try context.audit.note(
      .init(
        time: .now, token: caller.id, label: caller.label, action: action, subject: subject,
        peer: request.peer))
  }

  package init(context: ServerContext) {
    self.context = context
  }
}
