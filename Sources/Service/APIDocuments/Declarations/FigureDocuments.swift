package import CrashService
package import CrashStore
package import Documents
package import Identifiers
internal import JSON

extension LedgerAmount: Documented {
  package static let declaration = DocumentType("Amount", blank: LedgerAmount()) {
    DocumentMember("count", \.count, .count)
    DocumentMember("bytes", \.bytes, .count)
  }
}

extension LedgerTotal: Documented {
  package static let declaration = DocumentType("LedgerTotal", blank: LedgerTotal()) {
    LedgerAmount.declaration.members(at: \LedgerTotal.amount)
    DocumentMember(
      "reasons", \.parts, .list(.object(ReasonAmount.declaration)),
      "Largest first; the parts add up.")
  }

  /// The counts of reports, which have no size of their own.
  fileprivate static let counts = DocumentType("LedgerCounts", blank: LedgerTotal()) {
    DocumentMember("count", \.amount.count, .count)
    DocumentMember("reasons", \.parts, .list(.object(ReasonAmount.counts)))
  }
}

extension LedgerTotal.ReasonAmount: Documented {
  fileprivate static var blank: LedgerTotal.ReasonAmount {
    LedgerTotal.ReasonAmount(reason: "", amount: LedgerAmount())
  }

  package static let declaration = DocumentType("LedgerPart", blank: blank) {
    DocumentMember("reason", \.reason, .text)
    LedgerAmount.declaration.members(at: \LedgerTotal.ReasonAmount.amount)
  }

  fileprivate static let counts = DocumentType("LedgerPartCount", blank: blank) {
    DocumentMember("reason", \.reason, .text)
    DocumentMember("count", \.amount.count, .count)
  }
}

extension LedgerAccount: Documented {
  /// The amounts that were only counted or left out; absent if there are none.
  private var countedSubmissions: LedgerTotal? {
    get { counted == LedgerTotal() ? nil : counted }
    set { counted = newValue ?? LedgerTotal() }
  }

  private var leftOutReports: LedgerTotal? {
    get { reportsLeftOut == LedgerTotal() ? nil : reportsLeftOut }
    set { reportsLeftOut = newValue ?? LedgerTotal() }
  }

  private var countedReports: LedgerTotal? {
    get { reportsCounted == LedgerTotal() ? nil : reportsCounted }
    set { reportsCounted = newValue ?? LedgerTotal() }
  }

  package static let declaration = DocumentType("LedgerAccount", blank: LedgerAccount()) {
    DocumentMember(
      "app", optional: \.app, .text, "Absent for files that were refused without an app.",
      example: "Tern")
    DocumentMember(object: "submissions", "Received submissions; the parts add up.") {
      DocumentMember("received", \.received, .document)
      DocumentMember("stored", \.stored, .document)
      DocumentMember(
        "counted", optional: \.countedSubmissions, .object(LedgerTotal.declaration),
        "Submissions that were only counted, without keeping any data.")
      DocumentMember("duplicates", \.duplicates, .document)
      DocumentMember("refused", \.refused, .document)
      DocumentMember("kept", \.kept, .document)
      DocumentMember("expired", \.expired, .document)
      DocumentMember("removed", \.removed, .document)
    }
    DocumentMember(object: "reports", "What was read from it.") {
      DocumentMember("stored", \.reportsStored, .count)
      DocumentMember("kept", \.reportsKept, .count)
      DocumentMember("expired", \.reportsExpired, .object(LedgerTotal.counts))
      DocumentMember("removed", \.reportsRemoved, .count)
      DocumentMember(
        "counted", optional: \.countedReports, .object(LedgerTotal.counts),
        "Reports that were only counted, not stored.")
      DocumentMember(
        "left_out", optional: \.leftOutReports, .object(LedgerTotal.counts),
        "Reports beyond the limit of a submission; they are in none of the other figures.")
    }
  }
}

extension LedgerFault: Documented {
  package static let declaration = DocumentType(
    "LedgerFault", blank: LedgerFault(what: "", ledger: 0, counted: 0)
  ) {
    DocumentMember("app", optional: \.app, .text, example: "Tern")
    DocumentMember("what", \.what, .text, "The sum that was checked.")
    DocumentMember("ledger", \.ledger, .integer, "The figure in the ledger.")
    DocumentMember("counted", \.counted, .integer, "The figure that was counted.")
  }
}

extension Ledger: Documented {
  package static let declaration = DocumentType("Ledger", blank: Ledger()) {
    DocumentMember(schema: 1)
    DocumentMember("apps", \.accounts, .list(.object(LedgerAccount.declaration)))
    DocumentMember(
      "disagreements", \.faults, .list(.object(LedgerFault.declaration)),
      "Sums that differ from a fresh count.")
  }
}

extension StoreStatistics: Documented {
  package static let declaration = DocumentType(
    "Stats", blank: StoreStatistics(apps: [], refusedWithoutApp: 0, debugFiles: nil, space: nil)
  ) {
    DocumentMember(schema: 1)
    DocumentMember("apps", \.apps, .list(.object(AppStats.declaration)))
    DocumentMember(
      "refused_without_app", \.refusedWithoutApp, .count, "Files whose app was not known.")
    DocumentMember("debug_files", optional: \.debugFiles, .document)
    DocumentMember(
      "disk", optional: \.space, .object(SpaceUse.declaration), "Bytes; absent for a single app.")
  }
}

extension AppStats: Documented {
  package static let declaration = DocumentType(
    "AppStats",
    blank: AppStats(
      app: "", groups: 0, reports: 0, reportsKept: 0, submissions: LedgerAmount(), refused: 0)
  ) {
    DocumentMember("app", \.app, .text, example: "Tern")
    DocumentMember("groups", \.groups, .count)
    DocumentMember("reports", \.reports, .count, "The number of reports ever stored.")
    DocumentMember("reports_kept", \.reportsKept, .count)
    DocumentMember("submissions", \.submissions.count, .count, "The number of stored submissions.")
    DocumentMember("bytes", \.submissions.bytes, .count, "The bytes of these submissions.")
    DocumentMember("refused", \.refused, .count)
  }
}

extension SpaceUse: Documented {
  package static let declaration = DocumentType("SpaceUse", blank: SpaceUse()) {
    DocumentMember("database", \.database, .count)
    DocumentMember("contents", \.contents, .count, "Submissions and documents.")
    DocumentMember("debug_files", \.debugFiles, .count)
    DocumentMember("caches", \.caches, .count, "Files that can be rebuilt.")
    DocumentMember("total", \.disk, .count)
  }
}

extension AppCrashFree: Documented {
  /// The formula of the rates.
  package static let formula =
    "crash-free = 1 - crashed / all; every crash counts, handled errors do not"

  package static let declaration = DocumentType(
    "Sessions", blank: AppCrashFree(app: "", figures: CrashFree())
  ) {
    DocumentMember("app", \.app, .text, example: "Tern")
    DocumentMember("formula", derived: { _ in formula }, .text)
    CrashFree.declaration.members(at: \AppCrashFree.figures)
  }
}

extension CrashFree: Documented {
  /// The rates with their counts, wherever a document contains them.
  package static let declaration = DocumentType("CrashFree", blank: CrashFree()) {
    DocumentMember("sessions", \.rateOfSessions, .document)
    DocumentMember("users", \.rateOfUsers, .document)
    DocumentMember("crashes", \.crashes, .count, "Reports of crashes from any client.")
    DocumentMember(
      "hangs", \.hangs, .count, "Reports of hangs, which are not crashes.")
    DocumentMember(
      "memory_kills", \.outOfMemory, .count,
      "Reports of programs that the system ended for their memory use, which are not crashes.")
    DocumentMember(
      "users_with_sessions", \.installsWithSessions, .count,
      "Users named by a session.")
    DocumentMember(
      "crashes_without_user", \.crashesWithoutInstall, .count,
      "Crashed sessions without a user.")
  }
}

/// Crash-free rates of a day, week or month.
package struct CrashFreePeriod {
  var day: Timestamp
  var figures: CrashFree

  /// - Parameter day: The first day of the period.
  package init(day: Timestamp, figures: CrashFree) {
    self.day = day
    self.figures = figures
  }
}

extension CrashFreePeriod: Documented {
  package static let declaration = DocumentType(
    "CrashFreePeriod", blank: CrashFreePeriod(day: .zero, figures: CrashFree())
  ) {
    DocumentMember("day", \.day, .day, "The first day of the period.")
    CrashFree.declaration.members(at: \CrashFreePeriod.figures)
  }
}

/// The share of sessions or users without a crash.
struct CrashFreeRate: Documented {
  var all = 0
  var crashed = 0
  var rate: Double?
  /// Why there is no rate.
  var gap: String?

  static let declaration = DocumentType("Rate", blank: CrashFreeRate()) {
    DocumentMember("all", \.all, .count)
    DocumentMember("crashed", \.crashed, .count)
    DocumentMember(
      "crash_free", optional: \.rate, .number, "0 to 1; absent if the counts make no rate.",
      example: 0.995)
    DocumentMember(
      "reason", optional: \.gap, .text, "Why there is no rate; absent if there is one.",
      example: "no sessions were reported")
  }
}

extension CrashFree {
  var rateOfSessions: CrashFreeRate {
    get {
      CrashFreeRate(
        all: sessions, crashed: crashedSessions, rate: sessionRate, gap: sessionGap)
    }
    set { (sessions, crashedSessions) = (newValue.all, newValue.crashed) }
  }

  var rateOfUsers: CrashFreeRate {
    get { CrashFreeRate(all: installs, crashed: crashedInstalls, rate: userRate, gap: userGap) }
    set { (installs, crashedInstalls) = (newValue.all, newValue.crashed) }
  }
}

extension Histogram.Row: Documented {
  package static let declaration = DocumentType(
    "ValueCount", blank: Histogram.Row(value: "", reports: 0, groups: 0)
  ) {
    DocumentMember(
      "value", \.value, .textOrNull, "Null for reports that do not give it.", example: "1.4.0")
    DocumentMember("reports", \.reports, .count)
    DocumentMember("groups", \.groups, .count)
  }
}

extension DocumentValue where Value == String {
  /// A text that is written as `null` if it is empty.
  fileprivate static var textOrNull: DocumentValue<String> {
    DocumentValue(
      .either([.text(), .nothing]),
      write: { text, writer in
        if text.isEmpty { writer.null() } else { writer.string(text) }
      },
      read: { value in
        guard let text = value.isNull ? "" : value.string else {
          throw DocumentError.wrong("a text or null")
        }
        return text
      })
  }
}

extension Histogram: Documented {
  package static let declaration = DocumentType(
    "Counts", blank: Histogram(emptyBy: "", countsGroups: false)
  ) {
    DocumentMember("items", \.rows, .list(.document), "Most frequent first.")
    DocumentMember("total", \.total, .count, "The number of reports or groups.")
    DocumentMember("omitted", \.omitted, .count, "The number of values left out.")
  }
}
