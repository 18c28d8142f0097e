internal import Bytes
internal import CrashInput
internal import CrashService
internal import CrashStore
internal import Crypto
internal import Identifiers
internal import JSON
internal import Pipeline
internal import SymbolSources
internal import Updates

/// Imports what people saved of App Center: answers of its REST API, logs of its SDKs, crash files, debug files
/// and releases, in any arrangement of folders and zip files.
///
/// A report is known by the id that the SDK gave it: with its log or its crash file, that is what is stored;
/// without, it is made of the names that the REST API gave. Imported again, nothing is stored twice, and no
/// decision that was made here since is undone.
package struct AppCenterImport {
  private let context: ImportContext
  private let app: String
  private var export = AppCenterExport()
  private var result = ImportResult()
  /// Where the reports with a client's id are.
  private var places: [String: ReportPlace] = [:]
  /// Reports that came as crash files, by the paths of these.
  private var files: [(path: String, place: ReportPlace)] = []
  /// Files that may be attachments, until all errors are known.
  private var loose: [LooseFile] = []
  private var looseBytes = 0
  private var artefacts: [String] = []
  private var symbolPaths: [String] = []

  /// A report and its group at the time.
  private struct ReportPlace {
    /// `nil` for one that was only counted.
    var report: String?
    var group: String
  }

  private struct LooseFile {
    var path: String
    var reason: String
    var isForeign: Bool
    /// `nil` for a file that is too large for an attachment.
    var bytes: ByteView?
  }

  /// Bytes of files that may be attachments, held until all errors are known.
  private static let mostLooseBytes = 256 << 20
  /// The most that SDKs send.
  private static let attachmentBytes = 7 << 20
  /// Logs stored in one transaction.
  private static let logsAtOnce = 500

  /// - Parameter app: The app that the export is of; created if there is none of the name.
  package init(_ context: ImportContext, app: String) {
    self.context = context
    self.app = app
  }

  /// - Parameter paths: Folders and files of the export.
  /// - Returns: The outcome.
  /// - Throws: The store's errors; what was stored before stays, and the import can be repeated.
  package consuming func run(
    _ paths: [String], progress: (_ files: Int) -> Void = { _ in }
  ) throws -> ImportResult {
    try context.store.apps.add(app, secret: nil)
    try readFiles(ExportTree(paths), progress)
    for item in export.connect() { result.leave(item.path, item.reason) }
    try takeSecrets()
    try takeTesters()
    try takeSymbols()
    try takeReleases()
    try storeLogs(export.takeLogs())
    try storeItems()
    try takeLooseFiles()
    try takeStates()
    return result
  }

  // MARK: Files

  private mutating func readFiles(_ tree: ExportTree, _ progress: (Int) -> Void) throws {
    for item in tree.unread { result.leave(item.path, item.reason, isDamaged: true) }
    symbolPaths = tree.bundles
    let walker = InputWalker()
    var done = 0
    var outcomes: [FileResult] = []
    var held: [String: ByteView] = [:]
    _ = try context.ingest(app: app).run(
      received: .now, onResult: { outcomes.append($0) }
    ) { bring in
      for path in tree.files {
        if let kind = ArtefactKind(fileName: path), kind != .zip {
          artefacts.append(path)
        } else {
          walker.walk([path]) { file in
            switch read(file, &held) {
            case .taken: .next
            case .other: bring(Self.alone(file))
            }
          }
        }
        done += 1
        progress(done)
      }
    }
    for outcome in outcomes { try take(outcome, held[outcome.source]) }
  }

  private enum Reading {
    case taken, other
  }

  /// The file as one that belongs to no other: names in exports follow no rule.
  private static func alone(_ file: InputFile) -> InputFile {
    InputFile(
      path: file.path, content: file.content, ordinal: file.ordinal, isMember: file.isMember,
      archive: file.archive, coverage: file.coverage)
  }

  private mutating func read(_ file: InputFile, _ held: inout [String: ByteView]) -> Reading {
    guard case .success(let bytes) = file.content else { return .other }
    let names = PathNames(file.path)
    let isAttachment =
      names.parts.dropLast().contains { $0.lowercased() == "attachments" }
      && !file.path.lowercased().hasSuffix("attachments.json")
    if !isAttachment, ExportDocuments.begins(bytes), readDocuments(bytes, file.path) {
      return .taken
    }
    hold(bytes, file.path, names, in: &held)
    if isAttachment, let bytes = held[file.path] {
      loose.append(
        LooseFile(
          path: file.path, reason: "an attachment of an error that is not in the export",
          isForeign: true, bytes: bytes))
      return .taken
    }
    return .other
  }

  private mutating func hold(
    _ bytes: ByteView, _ path: String, _ names: PathNames, in held: inout [String: ByteView]
  ) {
    guard bytes.count <= Self.attachmentBytes, looseBytes + bytes.count <= Self.mostLooseBytes,
      names.words.contains(where: { $0.utf8.count >= 36 })
    else { return }
    looseBytes += bytes.count
    held[path] = ByteView(bytes.array)
  }

  /// Whether the file is JSON that is App Center's, or of no other known format.
  private mutating func readDocuments(_ bytes: ByteView, _ path: String) -> Bool {
    let documents = ExportDocuments(bytes)
    guard !documents.values.isEmpty else { return false }
    var problems: [String] = []
    for value in documents.values { problems += export.read(value, path: path) }
    if documents.values.count == 1, problems.count == 1, documents.problem == nil,
      documents.values[0].object != nil, problems[0].hasPrefix(AppCenterExport.unknown)
    {
      // It may be a report of another format, or an attachment.
      return false
    }
    for problem in problems { result.leave(path, problem) }
    if let problem = documents.problem { result.leave(path, problem, isDamaged: true) }
    return true
  }

  private mutating func take(_ outcome: FileResult, _ bytes: ByteView?) throws {
    switch outcome.outcome {
    case .stored:
      for submission in outcome.stored {
        let reports = try context.store.reports.list(
          ofSubmission: SHA256.hex(submission.digest), app: submission.app)
        for report in reports {
          files.append(
            (
              outcome.source,
              ReportPlace(report: report.isCounted ? nil : report.report, group: report.group)
            ))
          result.groups.insert(report.group)
        }
      }
      if outcome.isNew {
        result.reports += outcome.reportCount
      } else {
        result.known += outcome.reportCount
      }
      for reason in outcome.leftOut { result.leave(outcome.source, reason, isDamaged: true) }
    case .attached: result.attachments += 1
    case .refused(let reason, let isForeign):
      loose.append(
        LooseFile(path: outcome.source, reason: reason, isForeign: isForeign, bytes: bytes))
    }
  }

  // MARK: The app

  private mutating func takeSecrets() throws {
    for (path, secret) in export.secrets {
      let canonical = AppCenterIntake.canonicalID(secret)
      let owner = try context.store.apps.namedApp(ofSecret: canonical)
      if owner == nil {
        try context.store.apps.add(app, secret: canonical)
      } else if owner != app {
        result.leave(
          path, "the secret \(canonical.prefix(8))... belongs to the app \(owner ?? "") here")
      }
    }
  }

  private mutating func takeTesters() throws {
    let service = context.service
    var known = Set(try service.distributionGroups(of: app).map(\.name))
    func addGroup(_ name: String, isPublic: Bool) throws -> String? {
      guard !known.contains(name) else { return nil }
      do {
        _ = try service.addDistributionGroup(
          name, isPublic: isPublic, to: app, by: context.author)
        known.insert(name)
        result.distributionGroups += 1
        return nil
      } catch let error as DistributionError {
        return error.description
      }
    }
    for (path, value) in export.distributionGroups {
      let name = value.text("name") ?? ""
      if let problem = try addGroup(name, isPublic: value.member("is_public")?.bool == true) {
        result.leave(path, "the distribution group \(name): \(problem)")
      }
    }
    guard !export.members.isEmpty else { return }
    let groupNames = Dictionary(
      try service.distributionGroups(of: app).map { ($0.id, $0.name) },
      uniquingKeysWith: { $1 })
    var memberships = Set(
      try service.testers(of: app).flatMap { tester in
        tester.groups.compactMap { groupNames[$0] }.map { tester.email + "\n" + $0 }
      })
    var emails = Set(memberships.compactMap { $0.split(separator: "\n").first.map(String.init) })
    let inGroups = Set(export.members.filter { $0.group != nil }.map { $0.email.lowercased() })
    for member in export.members {
      let email = member.email.lowercased()
      guard let group = member.group else {
        // The list of all testers of the app repeats those of its groups.
        if !inGroups.contains(email), emails.contains(email) == false {
          result.leave(
            member.path,
            "the tester \(member.email): no file says in which group, such as "
              + "distribution_groups/GROUP/members.json")
        }
        continue
      }
      guard !memberships.contains(email + "\n" + group) else { continue }
      if let problem = try addGroup(group, isPublic: false) {
        result.leave(member.path, "the distribution group \(group): \(problem)")
        continue
      }
      do {
        // The invitation is dropped: whoever comes back is invited again.
        _ = try service.inviteTester(
          member.email, to: group, of: app, by: context.author, mails: false)
        memberships.insert(email + "\n" + group)
        if emails.insert(email).inserted { result.testers += 1 }
      } catch let error as DistributionError {
        result.leave(member.path, "the tester \(member.email): \(error.description)")
      }
    }
  }

  // MARK: Debug files and releases

  private mutating func takeSymbols() throws {
    var symbols = ImportedSymbols(context: context, app: app)
    for bundle in symbolPaths { symbols.paths.append((bundle, isBundle: true)) }
    for file in loose where file.isForeign { symbols.add(fileOrArchive: file.path) }
    let used = try symbols.take(into: &result, release: release(ofSymbols:))
    loose.removeAll { used.contains($0.path) }
  }

  /// The release of a mapping: of its upload, or in its path as `1.4.0 (512)`.
  private func release(ofSymbols path: String) -> Release? {
    let names = path.split(separator: "/").map(String.init).reversed()
    for name in names {
      if let release = export.symbolReleases[name] { return release }
      let stem = name.split(separator: ".").first.map(String.init) ?? name
      if let release = export.symbolReleases[stem] { return release }
      let release = Release(name)
      if name.hasSuffix(")"), !release.version.isEmpty, !release.build.isEmpty { return release }
    }
    return nil
  }

  private mutating func takeReleases() throws {
    var facts: [String: (path: String, value: JSONValue)] = [:]
    var releases: [Release] = []
    for (path, value) in export.releases {
      let release = Release(
        version: value.text("short_version") ?? "", build: value.text("version") ?? "")
      guard !release.version.isEmpty else {
        result.leave(path, "a release without short_version")
        continue
      }
      let known = facts[release.name]
      if known == nil { releases.append(release) }
      // The answer about one release says more than a list.
      if (known?.value.object?.count ?? 0) < (value.object?.count ?? 0) {
        facts[release.name] = (path, value)
      }
    }
    let before = Set(try context.service.releases(of: app).map(\.release))
    let new = releases.filter { !before.contains($0) }
    for release in new {
      do {
        _ = try context.service.addReleases([release], to: app)
        result.releases += 1
      } catch let error as ActionError {
        result.leave(facts[release.name]?.path ?? "", "the release \(release.name): \(error)")
      }
    }
    var withFile: Set<String> = []
    let known = Dictionary(
      try context.service.artefacts(of: app, release: nil).map { ($0.digest, $0) },
      uniquingKeysWith: { $1 })
    for path in artefacts {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      do {
        let digest = SHA256.hex(of: try ByteView(mapping: path))
        if let artefact = known[digest] {
          withFile.insert(artefact.release.name)
          continue
        }
        let artefact = try context.service.addArtefact(
          path, named: name, release: release(ofArtefact: path), to: app, by: context.author)
        result.artefacts += 1
        withFile.insert(artefact.release.name)
        if let value = facts[artefact.release.name]?.value {
          try publish(artefact, as: value, path)
        }
      } catch let error as DistributionError {
        result.leave(path, error.description)
      } catch let error as ParseError {
        result.leave(path, "a damaged release: \(error)", isDamaged: true)
      }
    }
    for release in releases where !withFile.contains(release.name) {
      guard let fact = facts[release.name] else { continue }
      let notes = fact.value.text("release_notes") == nil ? "" : " and its notes"
      result.leave(
        fact.path,
        "the file of \(release.name)\(notes): it is not in the export; `mayday releases add FILE` adds it"
      )
    }
  }

  /// The release that a file's path names by the number that it had.
  private func release(ofArtefact path: String) -> Release? {
    let names = PathNames(path)
    let value = export.releases.first { names.parts.contains($0.value.text("id") ?? "/") }?.value
    guard let value, let version = value.text("short_version") else { return nil }
    return Release(version: version, build: value.text("version") ?? "")
  }

  private mutating func publish(_ artefact: Artefact, as value: JSONValue, _ path: String) throws {
    let notes = value.text("release_notes")
    let isEnabled = value.member("enabled")?.bool ?? true
    if notes != nil || !isEnabled {
      _ = try context.service.editArtefact(
        artefact.number, of: app,
        CrashStore.Distribution.Edit(notes: notes, isEnabled: isEnabled), by: context.author)
    }
    let known = Set(try context.service.distributionGroups(of: app).map(\.name))
    let destinations = value.list("distribution_groups") + value.list("destinations")
    let groups = Set(destinations.compactMap { $0.text("name") })
    for name in groups.sorted() {
      guard known.contains(name) else {
        result.leave(path, "\(artefact.release.name) was published to \(name), which is not here")
        continue
      }
      _ = try context.service.publishArtefact(
        artefact.number, of: app,
        to: ArtefactAudience(
          groups: [name], isMandatory: value.member("mandatory_update")?.bool == true),
        by: context.author)
    }
  }

  // MARK: Reports

  /// Stores logs by the day, as they came to App Center.
  private mutating func storeLogs(_ logs: [(path: String, value: JSONValue)]) throws {
    var days: [Int: [(path: String, value: JSONValue)]] = [:]
    let now = Timestamp.now
    for log in logs {
      let time = min(log.value.time("timestamp") ?? now, now)
      days[time.day, default: []].append(log)
    }
    for (_, logs) in days.sorted(by: { $0.key < $1.key }) {
      var rest = logs[...]
      while !rest.isEmpty {
        try store(Array(rest.prefix(Self.logsAtOnce)), now)
        rest = rest.dropFirst(Self.logsAtOnce)
      }
    }
  }

  private mutating func store(
    _ logs: [(path: String, value: JSONValue)], _ now: Timestamp
  ) throws {
    guard let path = logs.first?.path else { return }
    let received = logs.compactMap { $0.value.time("timestamp") }.max().map { min($0, now) } ?? now
    let container = JSONValue.members(["logs": .array(logs.map(\.value))]).document
    do {
      let outcome = try AppCenterIntake(
        into: context.store, symbolicators: context.symbolicators, signers: context.signers,
        scrubber: context.scrubber, arrivals: context.arrivals
      ).store(
        container, ofApp: context.store.apps.keyName(of: app), received: received, source: path)
      for (id, receipt) in zip(outcome.reportIDs, outcome.receipt.reports) {
        if receipt.isDuplicate { result.known += 1 } else { result.reports += 1 }
        for report in receipt.reports {
          result.groups.insert(report.group)
          guard let id else { continue }
          places[id] = ReportPlace(
            report: report.isCounted ? nil : report.report, group: report.group)
        }
      }
      result.attachments += outcome.receipt.attachments.added
      if let problem = outcome.problem { result.leave(path, problem, isDamaged: true) }
    } catch let error as ParseError {
      result.leave(path, "logs that cannot be read: \(error)", isDamaged: true)
    }
  }

  /// Stores errors whose logs are not in the export, by the names that they have.
  private mutating func storeItems() throws {
    // A crash file in an error's folder is that error.
    for (path, place) in files {
      if let id = export.item(in: PathNames(path)), let item = export.items[id] {
        places[item.clientID] = places[item.clientID] ?? place
      }
    }
    var withItems: Set<String> = []
    var logs: [(path: String, value: JSONValue)] = []
    for id in export.itemOrder {
      guard let item = export.items[id] else { continue }
      if let group = item.group { withItems.insert(group) }
      guard places[item.clientID] == nil else { continue }
      let group = item.group.flatMap { export.groups[$0] }
      if let log = AppCenterExportLog.log(of: item, in: group) { logs.append((item.path, log)) }
    }
    for id in export.groupOrder where !withItems.contains(id) {
      guard let group = export.groups[id] else { continue }
      if let log = AppCenterExportLog.log(of: nil, in: group) { logs.append((group.path, log)) }
    }
    try storeLogs(logs)
  }

  /// Attaches the files in folders of errors; names the others.
  private mutating func takeLooseFiles() throws {
    var logs: [(path: String, value: JSONValue)] = []
    for file in loose {
      guard let bytes = file.bytes,
        let item = export.item(in: PathNames(file.path)).flatMap({ export.items[$0] })
      else {
        result.leave(file.path, file.reason, isDamaged: !file.isForeign)
        continue
      }
      let last = file.path.split(separator: "/").last.map(String.init) ?? file.path
      let name = PathNames(file.path).words.compactMap { export.attachmentNames[$0] }.first
      logs.append(
        (
          file.path,
          .members([
            "type": .string("errorAttachment"),
            "timestamp": item.value.text("timestamp").map { .string($0) },
            "errorId": .string(item.clientID), "fileName": .string(name ?? last),
            "data": .string(Base64.encode(bytes.array)),
          ])
        ))
    }
    try storeLogs(logs)
  }

  // MARK: Groups

  private mutating func takeStates() throws {
    var byGroup: [String: [SavedGroup]] = [:]
    var order: [String] = []
    let items = itemsOfGroup
    for id in export.groupOrder {
      guard let group = export.groups[id] else { continue }
      var ids = items[id] ?? []
      if ids.isEmpty { ids = [AppCenterExportLog.uuid(of: "group " + id)] }
      var targets: Set<String> = []
      for client in ids {
        guard let place = places[client] else { continue }
        targets.insert(
          try place.report.map { try context.store.reports.get($0).summary.group } ?? place.group)
      }
      if targets.isEmpty {
        result.leave(group.path, "the group \(id): none of its reports is here any more")
      }
      for target in targets {
        if byGroup[target] == nil { order.append(target) }
        byGroup[target, default: []].append(Self.imported(group))
      }
    }
    for id in order {
      result.decisions += try SavedGroups(context: context).apply(byGroup[id] ?? [], to: id)
    }
  }

  /// The client's ids of each group's errors.
  private var itemsOfGroup: [String: [String]] {
    var ids: [String: [String]] = [:]
    for item in export.items.values {
      if let group = item.group { ids[group, default: []].append(item.clientID) }
    }
    return ids
  }

  private static func imported(_ group: AppCenterExport.Group) -> SavedGroup {
    let value = group.value
    let state = value.text(["state", "status"])?.lowercased() ?? "open"
    var imported = SavedGroup(
      origin: "App Center's group \(group.id)", state: SavedGroup.State(rawValue: state) ?? .open
    )
    if let version = value.text(["appVersion", "app_version"]) {
      imported.facts.append(
        "version \(Release(version: version, build: value.text(["appBuild", "build"]) ?? "").name)")
    }
    if let count = value.text("count") { imported.facts.append("reports \(count)") }
    if let count = value.text(["deviceCount", "impacted_users"]) {
      imported.facts.append("devices \(count)")
    }
    if let first = value.text(["firstOccurrence", "first_occurrence"]),
      let last = value.text(["lastOccurrence", "last_occurrence"])
    {
      imported.facts.append("from \(first) to \(last)")
    }
    if let text = value.text("annotation") { imported.notes.append(text) }
    return imported
  }
}
