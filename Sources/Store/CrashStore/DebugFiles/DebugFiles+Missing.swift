internal import CrashModel
internal import Database
public import Identifiers
public import Query

extension CrashStore.DebugFiles {
  /// Returns the images whose debug files are missing: first those whose files would complete provisional
  /// groups, then those that explain more reports.
  ///
  /// - Parameters:
  ///   - query: Selects the reports; `nil` for all.
  ///   - app: Only this app; `nil` for all.
  ///   - limit: Maximum number of images; `nil` for all.
  /// - Returns: The images, and their total number.
  /// - Throws: `DatabaseError`.
  /// - Complexity: Without a query O(*n*) in images times groups that they are missing in, independent of the
  ///   number of reports.
  public func missing(
    of query: Query? = nil, app: String? = nil, limit: Int? = nil
  ) throws -> (images: [MissingImage], total: Int) {
    try store.read { database in
      let app = try app.map { try AppsTable.find($0, in: database)?.row ?? RowID(0) }
      let counts =
        if let query {
          try Self.counts(of: query, app: app, in: database)
        } else {
          try Self.counts(app: app, in: database)
        }
      let ranked = counts.sorted(by: MissingCount.precedes)
      let images = try ranked.prefix(limit ?? .max).compactMap {
        try Self.image($0, app: app, in: database)
      }
      return (images, counts.count)
    }
  }

  /// Returns the images of the app's own code whose debug files reports of a release lack.
  ///
  /// - Parameter release: A version without a build means all of its builds.
  /// - Throws: ``StoreError/unknownApp(_:near:)``; `DatabaseError`.
  public func missing(of release: Release, app: String) throws -> [MissingImage] {
    try store.read { database in
      let row = try AppsTable.known(app, in: database).row
      return try Self.missing(of: release, app: row, limit: nil, in: database).images
    }
  }

  /// - Parameter limit: Maximum number of images; `nil` for all.
  /// - Returns: The images, and their total number.
  static func missing(
    of release: Release, app: RowID<Tables.Apps>, limit: Int?, in database: borrowing Connection
  ) throws -> (images: [MissingImage], total: Int) {
    var ids: Set<String> = []
    do {
      let rows = try database.prepare(
        """
        SELECT debug_id FROM image_builds
        WHERE app = ?1 AND version = ?2 AND (build = ?3 OR ?3 = '')
        """, [app, release.version, release.build])
      while try rows.step() { try ids.insert(rows.text("debug_id")) }
    }
    guard !ids.isEmpty else { return ([], 0) }
    let counts = try Self.counts(app: app, in: database)
      .filter { ids.contains($0.debugID) && $0.isOwn }.sorted(by: MissingCount.precedes)
    let images = try counts.prefix(limit ?? .max)
      .compactMap { try Self.image($0, app: app, in: database) }
    return (images, counts.count)
  }

  private static func counts(
    app: RowID<Tables.Apps>?, in database: borrowing Connection
  ) throws -> [MissingCount] {
    try MissingImageCounts(app: app, in: database).countsOfAll(in: database)
  }

  private static func counts(
    of query: Query, app: RowID<Tables.Apps>?, in database: borrowing Connection
  ) throws -> [MissingCount] {
    var tally = try MissingImageCounts(app: app, in: database)
    let conditions = try SearchCompiler().compile(query, in: database)
    try SearchScan(conditions).run([], in: database) { chunk, positions in
      let groups = chunk[.group]
      for position in positions { tally.want(chunk.row(position), of: groups[position]) }
    }
    return try tally.counts(in: database)
  }

  private static func hasDebugFile(
    _ values: [String], in column: String, of database: borrowing Connection
  ) throws -> Bool {
    try values.contains { value in
      try database.integer(
        "SELECT 1 FROM debug_files WHERE \(column) = ?1 AND kind != ?2 LIMIT 1", value,
        DebugFileRecord.sourcesKind) != nil
    }
  }

  private static func image(
    _ count: MissingCount, app: RowID<Tables.Apps>?, in database: borrowing Connection
  ) throws -> MissingImage? {
    let id = DebugID(count.debugID)
    let fileName = NameOnlyImage.fileName(in: count.debugID)
    guard id != nil || fileName != nil else { return nil }
    var image = MissingImage(
      debugID: id, name: "", isOwn: count.isOwn,
      hasDebugFile: try Self.hasDebugFile(
        fileName.map { DebugFileName.names(ofImage: $0) } ?? [count.debugID],
        in: fileName == nil ? "debug_id" : "name", of: database),
      reports: count.reports, groups: count.groups, provisionalGroups: count.provisional,
      builds: [], systems: [])
    do {
      let rows = try database.prepare(
        "SELECT code_id, name, path, architecture FROM images WHERE debug_id = ?1", [count.debugID])
      if try rows.step() {
        image.codeID = try rows.optionalText("code_id").flatMap { CodeID($0) }
        image.name = try rows.text("name")
        image.path = try rows.optionalText("path")
        image.architecture = try rows.optionalText("architecture").map { Architecture($0) }
      }
    }
    do {
      let rows = try database.prepare(
        "SELECT * FROM image_packages WHERE debug_id = ?1", [count.debugID])
      if try rows.step() {
        image.package = try ImagePackage(
          type: rows.optionalText("type"), name: rows.text("name"),
          version: rows.optionalText("version"),
          architecture: rows.optionalText("architecture"), os: rows.optionalText("os"),
          osCPE: rows.optionalText("os_cpe"), debugInfoURL: rows.optionalText("debug_info_url"))
      }
    }
    do {
      let rows = try database.prepare(
        """
        SELECT apps.name, version, build FROM image_builds JOIN apps ON apps.id = image_builds.app
        WHERE debug_id = ?1 AND (app = ?2 OR ?2 IS NULL) AND (version != '' OR build != '')
        """, [count.debugID, app])
      while try rows.step() {
        try image.builds.append(
          MissingImage.Build(
            app: rows.text("name"),
            release: Release(version: rows.text("version"), build: rows.text("build"))))
      }
    }
    if let app {
      image.isShared =
        try database.integer(
          "SELECT 1 FROM image_builds WHERE debug_id = ?1 AND app <> ?2 LIMIT 1", count.debugID,
          app) != nil
    }
    image.builds.sort {
      $0.app != $1.app ? $0.app < $1.app : $0.release.precedesByNumber($1.release)
    }
    let rows = try database.prepare(
      "SELECT os, version, build, model FROM image_systems WHERE debug_id = ?1", [count.debugID])
    while try rows.step() {
      try image.systems.append(
        MissingImage.System(
          name: rows.text("os"), version: rows.text("version"), build: rows.text("build"),
          model: rows.text("model")))
    }
    image.systems.sort {
      let (one, other) = (
        Release(version: $0.version, build: $0.build), Release(version: $1.version, build: $1.build)
      )
      return one != other ? other.precedesByNumber(one) : ($0.name, $0.model) < ($1.name, $1.model)
    }
    return image
  }
}

/// How often an image is missing.
struct MissingCount {
  let debugID: String
  let reports: Int
  let groups: Int
  let provisional: Int
  let isOwn: Bool

  static func precedes(_ one: MissingCount, _ other: MissingCount) -> Bool {
    let (left, right) = (one.provisional > 0, other.provisional > 0)
    if left != right { return left }
    if one.isOwn != other.isOwn { return one.isOwn }
    return (other.reports, other.groups, one.debugID) < (one.reports, one.groups, other.debugID)
  }
}
