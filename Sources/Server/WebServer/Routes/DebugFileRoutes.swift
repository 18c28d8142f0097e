internal import Documents
internal import APIDocuments
internal import HTTP

/// Debug files: those that are there, those that are missing, and handing them in.
enum DebugFileRoutes {
  static let all: [APIRoute] = [
    APIRoute(
      "GET", "/api/v1/symbols", "listDebugFiles", "Stored debug files.", tag: "symbols",
      access: .allDebugFiles, query: .pages, returns: .page("DebugFile")
    ) { try ListsEndpoint(context: $1).debugFiles($0) },
    upload("PUT", "putDebugFile"), upload("POST", "postDebugFile"),
    APIRoute(
      "GET", "/api/v1/symbols/:id", "showDebugFile",
      "Everything known of the debug files with an id, one after the other.", tag: "symbols",
      access: .allDebugFiles, query: [.asked("arch", .text(), "Only this architecture.")],
      returns: .list("DebugFileFacts"), refusals: [.unprocessableContent]
    ) { try DebugFileFactsEndpoint(context: $1).show($0) },
    APIRoute(
      "DELETE", "/api/v1/symbols/:id", "deleteDebugFiles",
      "Delete the debug files with a debug id, a build id or the start of a digest.",
      tag: "symbols", access: .admin,
      query: [.asked("force", .choice(["true", "false"]), "Also files that stored reports need.")],
      returns: .empty(.noContent, "They are gone."), refusals: [.conflict]
    ) { try RemovalEndpoint(context: $1).debugFiles($0) },
    APIRoute(
      "GET", "/api/v1/symbols/missing", "listMissingImages", "Images that lack debug files.",
      tag: "symbols", access: .symbols,
      query: [.narrowing, .ofApp] + .pages,
      returns: .json(.ok, "Those that explain most first.", .page("MissingImage")),
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
      method, "/api/v1/symbols", name, "Hand in a debug file, or an archive of them.",
      tag: "symbols", access: .symbols, rate: .upload,
      query: [
        .asked("name", .text(), "The name of the file."),
        .asked("app", .text(atLeast: 1), "Whose release it belongs to."),
        .asked("version", .text(), "The release that it belongs to; needs app."),
        .asked("bundle", .text(), "The release that the dSYM bundle of the file names."),
      ], input: .file(atMost: APILimits.symbols),
      returns: .json(.created, "Stored.", verdicts),
      .json(.ok, "All were there already.", verdicts),
      .json(.unprocessableContent, "None can be used.", verdicts), refusals: [.conflict]
    ) { try SymbolsEndpoint(context: $1).add($0) }
  }
}
