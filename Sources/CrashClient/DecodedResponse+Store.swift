package import CrashService
internal import CrashModel
package import CrashStore
package import ServerStore

/// What else a store holds, as the writers of JSON write it.
extension AppRecord {
  package init(_ answer: DecodedResponse) throws {
    let keep = try answer.part("keep")
    self.init(
      name: try answer.text("name"), prefix: try answer.text("prefix"),
      intakeKey: try answer.text("intake_key"),
      retention: Retention(
        days: try keep.maybeCount("days"), bytes: try keep.maybeCount("bytes"),
        perGroup: try keep.maybeCount("per_group")),
      // Of a secret a server tells only how it begins.
      secrets: try answer.texts("app_secrets"))
  }
}

extension ReleaseRecord {
  package init(_ answer: DecodedResponse) throws {
    self.init(
      app: try answer.text("app"),
      release: Release(
        version: try answer.text("version"), build: try answer.maybeText("build") ?? ""),
      isPlaced: try answer.text("place") == "set", added: try answer.time("added"),
      firstSeen: try answer.maybeTime("first_seen"), lastSeen: try answer.maybeTime("last_seen"),
      reports: try answer.count("reports"))
  }
}

extension DebugFileRecord {
  package init(_ answer: DecodedResponse) throws {
    guard let id = DebugID(try answer.text("debug_id")) else {
      throw ServiceError("the server's answer contains an invalid debug id")
    }
    self.init(
      debugID: id, codeID: try answer.maybeText("code_id").flatMap { CodeID($0) },
      architecture: Architecture(try answer.text("arch")), kind: try answer.text("kind"),
      name: try answer.text("name"), digest: try answer.text("digest"),
      size: try answer.count("size"), added: try answer.time("added"))
  }
}

extension MissingImage {
  package init(_ answer: DecodedResponse) throws {
    let text = try answer.maybeText("debug_id")
    let id = text.flatMap { DebugID($0) }
    if let text, id == nil {
      throw ServiceError("the server sent \(text) as a debug id, which it is not")
    }
    self.init(
      debugID: id, codeID: try answer.maybeText("code_id").flatMap { CodeID($0) },
      architecture: try answer.maybeText("arch").map { Architecture($0) },
      name: try answer.maybeText("name") ?? "", path: try answer.maybeText("path"),
      isOwn: try answer.flag("own"), hasDebugFile: try answer.flag("has_debug_file"),
      reports: try answer.count("reports"), groups: try answer.count("groups"),
      provisionalGroups: try answer.count("provisional_groups"),
      builds: try answer.list("builds") { build in
        Build(
          app: try build.text("app"),
          release: Release(
            version: try build.text("version"), build: try build.text("build")))
      },
      systems: try answer.list("systems") { system in
        System(
          name: try system.maybeText("name") ?? "", version: try system.maybeText("version") ?? "",
          build: try system.maybeText("build") ?? "", model: try system.maybeText("model") ?? "")
      })
  }
}

extension LedgerAmount {
  package init(_ answer: DecodedResponse) throws {
    self.init(count: try answer.count("count"), bytes: try answer.maybeCount("bytes") ?? 0)
  }
}

extension LedgerTotal {
  fileprivate init(_ answer: DecodedResponse) throws {
    self.init(
      amount: try LedgerAmount(answer),
      parts: try answer.list("reasons") { part in
        Part(reason: try part.text("reason"), amount: try LedgerAmount(part))
      })
  }
}

extension Ledger {
  package init(_ answer: DecodedResponse) throws {
    self.init()
    accounts = try answer.list("apps") { try LedgerAccount($0) }
    faults = try answer.list("disagreements") { fault in
      LedgerFault(
        app: try fault.maybeText("app"), what: try fault.text("what"),
        ledger: try fault.count("ledger"), counted: try fault.count("counted"))
    }
  }
}

extension LedgerAccount {
  fileprivate init(_ answer: DecodedResponse) throws {
    let (submissions, reports) = (try answer.part("submissions"), try answer.part("reports"))
    self.init(app: try answer.maybeText("app"))
    received = try LedgerAmount(submissions.part("received"))
    stored = try LedgerAmount(submissions.maybePart("stored") ?? submissions.part("filed"))
    duplicates = try LedgerTotal(submissions.part("duplicates"))
    refused = try LedgerTotal(submissions.part("refused"))
    kept = try LedgerAmount(submissions.part("kept"))
    expired = try LedgerTotal(submissions.part("expired"))
    removed = try LedgerAmount(submissions.part("removed"))
    reportsStored = try reports.maybeCount("stored") ?? reports.count("filed")
    reportsKept = try reports.count("kept")
    reportsExpired = try LedgerTotal(reports.part("expired"))
    reportsRemoved = try reports.count("removed")
  }
}

extension StoreStatistics {
  package init(_ answer: DecodedResponse) throws {
    self.init(
      apps: try answer.list("apps") { app in
        AppStats(
          app: try app.text("app"), groups: try app.count("groups"),
          reports: try app.count("reports"), reportsKept: try app.count("reports_kept"),
          submissions: LedgerAmount(
            count: try app.count("submissions"), bytes: try app.count("bytes")),
          refused: try app.count("refused"))
      }, refusedWithoutApp: try answer.count("refused_without_app"),
      debugFiles: try answer.maybePart("debug_files").map { try LedgerAmount($0) },
      space: try answer.maybePart("disk").map { disk in
        SpaceUse(
          disk: try disk.count("total"), database: try disk.count("database"),
          contents: try disk.count("contents"), debugFiles: try disk.count("debug_files"),
          caches: try disk.count("caches"))
      })
  }
}

extension AppCrashFree {
  package init(_ answer: DecodedResponse) throws {
    let (sessions, users) = (try answer.part("sessions"), try answer.part("users"))
    var figures = CrashFree()
    figures.sessions = try sessions.count("all")
    figures.crashedSessions = try sessions.count("crashed")
    figures.installs = try users.count("all")
    figures.crashedInstalls = try users.count("crashed")
    figures.crashes = try answer.count("crashes")
    self.init(app: try answer.text("app"), figures: figures)
  }
}

extension Token {
  package init(_ answer: DecodedResponse) throws {
    self.init(
      id: try answer.text("id"), label: try answer.text("label"),
      scopes: Set(try answer.texts("scopes").compactMap { TokenScope(rawValue: $0) }),
      app: try answer.maybeText("app"), created: try answer.time("created"),
      expires: try answer.maybeTime("expires"), revoked: try answer.maybeTime("revoked"),
      used: try answer.maybeTime("used"))
  }
}
