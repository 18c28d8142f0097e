internal import APIDocuments
internal import Documents
internal import HTTP
import ServerCore

/// Routes for debug files: stored ones, missing ones, and uploads.
enum DebugFileRoutes {
  static let all: [APIRoute] = [
    APIRoute(
      "GET", "/api/v1/symbols", "listDebugFiles", "Stored debug files.", tag: "symbols",
      access: .allDebugFiles, query: .pages, returns: .page("DebugFile")
    ) { try ListsEndpoint(context: $1).debugFiles($0) },
    upload("PUT", "putDebugFile"), upload("POST", "postDebugFile"),
    APIRoute(
      "GET", "/api/v1/symbols/:id", "showDebugFile",
      "All facts about the debug files with an id.", tag: "symbols",
      access: .allDebugFiles, query: [.asked("arch", .text(), "Only this architecture.")],
      returns: .list("DebugFileFacts"), refusals: [.unprocessableContent]
    ) { try DebugFileFactsEndpoint(context: $1).show($0) },
    APIRoute(
      "DELETE", "/api/v1/symbols/:id", "deleteDebugFiles",
      "Delete the debug files with a debug id, a build id or a digest prefix.",
      tag: "symbols", access: .admin,
      query: [.asked("force", .choice(["true", "false"]), "Also files that stored reports need.")],
      returns: .empty(.noContent, "Deleted."), refusals: [.conflict]
    ) { try RemovalEndpoint(context: $1).debugFiles($0) },
    APIRoute(
      "GET", "/api/v1/symbols/missing", "listMissingImages", "Images that lack debug files.",
      tag: "symbols", access: .symbols,
      query: [.narrowing, .ofApp] + .pages,
      returns: .json(.ok, "Images with the most reports first.", .page("MissingImage")),
      refusals: [.notFound]
    ) { try ListsEndpoint(context: $1).missing($0) },
    APIRoute(
      "POST", "/api/v1/symbols/known", "knownDebugFiles",
      "Which debug files the server already has.", tag: "symbols", access: .symbols,
      input: .json([
        ReportRoutes.digests, .maybe("app", .text()), .maybe("version", .text(), "Needs app."),
      ]), returns: ReportRoutes.known
    ) { try KnownEndpoint(context: $1).symbols($0) },
  ]

  private static let verdicts = APISchema.object([
    .always("files", .list(.named("DebugFileVerdict")))
  ])

  private static func upload(_ method: String, _ name: String) -> APIRoute {
    APIRoute(
      method, "/api/v1/symbols", name, "Upload a debug file, or an archive of debug files.",
      tag: "symbols", access: .symbols, rate: .upload,
      query: [
        .asked("name", .text(), "The name of the file."),
        .asked("app", .text(atLeast: 1), "The app that it belongs to."),
        .asked("version", .text(), "The release that it belongs to; requires app."),
        .asked("bundle", .text(), "The release named by the file's dSYM bundle."),
      ], input: .file(atMost: APILimits.symbols),
      returns: .json(.created, "Stored.", verdicts),
      .json(.ok, "All files were already stored.", verdicts),
      .json(.unprocessableContent, "No file can be used.", verdicts), refusals: [.conflict]
    ) { try SymbolsEndpoint(context: $1).add($0) }
  }
}
