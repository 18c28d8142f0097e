internal import CrashService
internal import CrashStore
package import HTTP
package import ServerCore

/// `GET /api/v1/symbols/ID`: the debug files with an id, like `mayday symbols show --json`; `arch` selects
/// one architecture. A separate process reads the files, one at a time.
package struct DebugFileFactsEndpoint {
  package let context: ServerContext

  package func show(_ request: Request) throws -> Response {
    let id = request.parameters["id"] ?? ""
    let architecture = request.query["arch"]
    return try .refusing {
      // Only known ids are read, and anything that isn't an id never becomes an argument.
      guard StoredDebugFiles.isID(id) else {
        return .problem(.notFound, "'\(id.prefix(80))' is not the id of a debug file")
      }
      _ = try StoredDebugFiles.records(of: id, architecture: architecture, in: context.store)
      do {
        return .json(
          try DebugFileReader(context: context).output(
            of: ServerChildren.symbolFacts, id, architecture: architecture))
      } catch let refusal as DebugFileReader.Refusal {
        switch refusal {
        case .busy: return .busy(refusal.text)
        case .exceedsLimits: return .problem(.unprocessableContent, refusal.text)
        }
      }
    }
  }

  package init(context: ServerContext) {
    self.context = context
  }
}
