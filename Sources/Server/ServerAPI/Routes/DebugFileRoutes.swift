internal import APIDocuments
internal import Documents
internal import HTTP
import ServerCore

/// Routes for debug files: stored ones, missing ones, and uploads.
enum DebugFileRoutes {
  static let all: [APIRoute] = [
    APIRoute(
      .listDebugFiles, "Stored debug files.", tag: "symbols",
      access: .allDebugFiles, returns: .page("DebugFile")
    ) { try ListsEndpoint(context: $1).debugFiles($0) },
    upload(.putDebugFile), upload(.postDebugFile),
    APIRoute(
      .showDebugFile, "All facts about the debug files with an id.", tag: "symbols",
      access: .allDebugFiles, returns: .list("DebugFileFacts"), refusals: [.unprocessableContent]
    ) { try DebugFileFactsEndpoint(context: $1).show($0) },
    APIRoute(
      .deleteDebugFiles, "Delete the debug files with a debug id, a build id or a digest prefix.",
      tag: "symbols", access: .admin, returns: .empty(.noContent, "Deleted."), refusals: [.conflict]
    ) { try RemovalEndpoint(context: $1).debugFiles($0) },
    APIRoute(
      .listMissingImages, "Images that lack debug files.", tag: "symbols", access: .symbols,
      returns: .json(.ok, "Images with the most reports first.", .page(of: .named("MissingImage"))),
      refusals: [.notFound]
    ) { try ListsEndpoint(context: $1).missing($0) },
    APIRoute(
      .knownDebugFiles, "Which debug files the server already has.", tag: "symbols",
      access: .symbols, returns: ReportRoutes.known
    ) { try KnownEndpoint(context: $1).symbols($0) },
  ]

  private static let verdicts = APISchema.object([
    .always("files", .list(.named("DebugFileVerdict")))
  ])

  private static func upload(_ call: APICall) -> APIRoute {
    APIRoute(
      call, "Upload a debug file, or an archive of debug files.", tag: "symbols",
      access: .symbols, rate: .upload, input: .file(atMost: APILimits.symbols),
      returns: .json(.created, "Stored.", verdicts),
      .json(.ok, "All files were already stored.", verdicts),
      .json(.unprocessableContent, "No file can be used.", verdicts), refusals: [.conflict]
    ) { try SymbolsEndpoint(context: $1).add($0) }
  }
}
