internal import CrashService
internal import CrashStore
package import HTTP
internal import Identifiers
internal import JSON
internal import ServerCore
internal import ServerStore
internal import Uploads

/// The symbols of an app for App Center's clients: those present, and those missing.
package struct AppCenterSymbolsEndpoint {
  // MARK: Present symbols

  /// `GET …/symbols`: symbols uploaded for the app in three steps.
  package func list(_ call: AppCenterCall) throws -> Response {
    let app = try call.appID()
    return try .list(symbols(of: call)) { writer, symbol in
      try write(symbol, app: app, call, to: &writer)
    }
  }

  /// `GET …/symbols/:symbol`
  package func show(_ call: AppCenterCall) throws -> Response {
    let symbol = try symbol(call)
    return try .document { try write(symbol, app: call.appID(), call, to: &$0) }
  }

  /// `GET …/symbols/:symbol/status`, however its debug file arrived.
  package func status(_ call: AppCenterCall) throws -> Response {
    let id = call.request.parameters["symbol"] ?? ""
    let isThere = try !files(of: id, call).isEmpty
    guard
      try isThere || missing(call).contains(where: { $0.debugID?.appCenterSymbol == id.symbolID })
    else { throw StoreError.notFound(id) }
    return try .document { writer in
      writer.beginObject()
      writer.member("symbol_id", id.symbolID)
      writer.member("app_id", try call.appID())
      let isIgnored = try ignored(call).contains(id.symbolID)
      writer.member("status", isIgnored ? "ignored" : isThere ? "available" : "missing")
      writer.endObject()
    }
  }

  /// `POST …/symbols/:symbol/ignore`: clients will stop asking for it.
  package func ignore(_ call: AppCenterCall) throws -> Response {
    let id = (call.request.parameters["symbol"] ?? "").symbolID
    let isMissing = try missing(call).contains { $0.debugID?.appCenterSymbol == id }
    let upload = try symbols(of: call).first { $0.id == id }?.upload
    guard isMissing || upload != nil else { throw StoreError.notFound(id) }
    try call.context.uploads.ignore(symbol: id, of: call.app)
    try call.note("ignore symbol", id)
    return try .document { writer in
      try write(Symbol(id: id, upload: upload), app: call.appID(), call, to: &writer)
    }
  }

  private func ignored(_ call: AppCenterCall) throws -> Set<String> {
    try call.context.uploads.ignoredSymbols(of: call.app)
  }

  /// `GET …/symbols/:symbol/location`
  package func location(_ call: AppCenterCall) throws -> Response {
    let address = address(of: try symbol(call).id, call)
    return .document { writer in
      writer.beginObject()
      writer.member("uri", address)
      writer.endObject()
    }
  }

  /// `GET …/symbols/:symbol/file`, an extension of ours: the debug file, preferably one with functions and
  /// lines.
  package func file(_ call: AppCenterCall) throws -> Response {
    let symbol = try symbol(call)
    guard let file = try files(of: symbol.id, call).min(by: { $0.kind < $1.kind }) else {
      throw StoreError.notFound(symbol.id)
    }
    return .bytes(
      try call.store.debugFiles.get(file.digest), type: "application/octet-stream",
      headers: ["Content-Disposition": "attachment"])
  }

  private struct Symbol {
    let id: String
    /// The upload; `nil` if the symbol is missing.
    let upload: Upload?
  }

  /// Returns each symbol once, with the newest upload that has it.
  private func symbols(of call: AppCenterCall) throws -> [Symbol] {
    var seen: Set<String> = []
    return try call.context.uploads.uploads(of: call.app).filter { $0.status == .indexed }
      .flatMap { upload in upload.symbols.map { Symbol(id: $0, upload: upload) } }
      .filter { seen.insert($0.id).inserted }
  }

  private func symbol(_ call: AppCenterCall) throws -> Symbol {
    let id = call.request.parameters["symbol"] ?? ""
    guard let symbol = try symbols(of: call).first(where: { $0.id == id.symbolID }) else {
      throw StoreError.notFound(id)
    }
    return symbol
  }

  private func files(of id: String, _ call: AppCenterCall) throws -> [DebugFileRecord] {
    guard let debugID = DebugID(id) else { return [] }
    let files = try call.store.debugFiles.list(for: debugID)
      .filter { $0.kind != DebugFileRecord.sourcesKind }
    // Anyone can upload a public program with this id: files that others stored under it are theirs.
    return try call.caller.app == nil
      ? files : call.store.debugFiles.list(files, handedInFor: call.app)
  }

  private func write(
    _ symbol: Symbol, app: String, _ call: AppCenterCall, to writer: inout JSONWriter
  ) throws {
    writer.beginObject()
    writer.member("symbol_id", symbol.id)
    writer.member("type", symbol.upload?.kind ?? "Apple")
    writer.member("app_id", app)
    writer.member("platform", symbol.upload?.kind ?? "Apple")
    writer.member("url", address(of: symbol.id, call))
    writer.member("origin", "User")
    writer.member("alternate_symbol_ids", [String]())
    writer.member("status", try ignored(call).contains(symbol.id) ? "ignored" : "available")
    writer.member("version", symbol.upload?.version)
    writer.member("build", symbol.upload?.build)
    writer.member("symbol_upload_id", symbol.upload?.id ?? "")
    writer.endObject()
  }

  private func address(of symbol: String, _ call: AppCenterCall) -> String {
    call.address(Array(call.request.segments.prefix(4)) + ["symbols", symbol, "file"])
  }

  // MARK: Missing symbols

  /// `GET …/diagnostics/symbol_groups_info`
  package func count(_ call: AppCenterCall) throws -> Response {
    let total = try waiting(call)
    return .document { writer in
      writer.beginObject()
      writer.member("total_crash_count", total)
      writer.endObject()
    }
  }

  /// `GET …/diagnostics/symbol_groups?top=n`: a group for each build of the app that lacks symbols.
  package func groups(_ call: AppCenterCall) throws -> Response {
    let top = try call.number("top", in: 0...Int.max, otherwise: 100)
    let groups = try groups(of: call)
    let total = try waiting(call)
    return try .document { writer in
      writer.beginObject()
      writer.member("total_crash_count", total)
      writer.key("groups")
      writer.beginArray()
      for group in groups.prefix(top) { try write(group, call, to: &writer) }
      writer.endArray()
      writer.endObject()
    }
  }

  /// `GET …/diagnostics/symbol_groups/:id`
  package func group(_ call: AppCenterCall) throws -> Response {
    let id = call.request.parameters["id"] ?? ""
    guard let found = try groups(of: call).first(where: { $0.id == id }) else {
      throw HTTPError.refused(.notFound, "no symbol group has the id \(id)")
    }
    return try .document { try write(found, call, to: &$0) }
  }

  /// The missing symbols of a build of the app.
  private struct Group {
    let release: Release
    var images: [MissingImage] = []
    /// When the last report of the build arrived.
    let modified: Timestamp?

    var id: String {
      release.name.map { $0.isLetter || $0.isNumber || $0 == "." ? String($0) : "-" }.joined()
    }
  }

  private func write(
    _ group: Group, _ call: AppCenterCall, to writer: inout JSONWriter
  ) throws {
    writer.beginObject()
    writer.member("symbol_group_id", group.id)
    writer.member("crash_count", group.images.map(\.reports).max() ?? 0)
    writer.member("error_count", 0)
    writer.member("app_id", try call.appID())
    writer.member("app_ver", group.release.version)
    writer.member("app_build", group.release.build)
    writer.member("last_modified", (group.modified ?? .now).description)
    let ignored = try ignored(call)
    let symbols = group.images.compactMap { $0.debugID?.appCenterSymbol }
    writer.key("missing_symbols")
    writer.beginArray()
    for image in group.images {
      // The command line client fails for ids of any other form.
      guard let symbol = image.debugID?.appCenterSymbol else { continue }
      writer.beginObject()
      writer.member("symbol_id", symbol)
      writer.member("name", image.name)
      writer.member("platform", image.architecture?.description ?? "")
      writer.member("status", ignored.contains(symbol) ? "ignored" : "missing")
      writer.endObject()
    }
    writer.endArray()
    writer.member("status", ignored.isSuperset(of: symbols) ? "closed" : "active")
    writer.endObject()
  }

  /// Returns the groups by release, without images of unknown releases.
  private func groups(of call: AppCenterCall) throws -> [Group] {
    let images = try missing(call)
    guard !images.isEmpty else { return [] }
    let dates = Dictionary(
      try call.store.releases.list(of: call.app).map { ($0.release, $0.lastSeen) },
      uniquingKeysWith: { first, _ in first })
    var groups: [Group] = []
    var indices: [Release: Int] = [:]
    for image in images {
      for build in image.builds where build.app == call.app {
        let index = indices[build.release] ?? groups.endIndex
        if index == groups.endIndex {
          indices[build.release] = index
          groups.append(
            Group(release: build.release, modified: dates[build.release].flatMap { $0 }))
        }
        groups[index].images.append(image)
      }
    }
    return groups
  }

  /// Returns the number of reports that are waiting for a debug file.
  private func waiting(_ call: AppCenterCall) throws -> Int {
    var query = ReportQuery(try call.query(["symbols:missing|partial"], isTimed: false))
    query.limit = 1
    return try call.store.reports.list(query).total
  }

  private func missing(_ call: AppCenterCall) throws -> [MissingImage] {
    try call.store.debugFiles.missing(app: call.app).images
  }
}

extension String {
  /// A symbol's id in the API's spelling.
  fileprivate var symbolID: String { filter { $0 != "-" }.lowercased() }
}
