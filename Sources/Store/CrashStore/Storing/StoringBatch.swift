internal import CrashModel
internal import Crypto
internal import Database
internal import Identifiers

/// The submissions of one transaction on their way into the store.
///
/// The rows that decide where their reports belong are read for many at a time. Submissions whose reports are
/// all plain, see ``KnownRows``, are added to rows and counts in memory, which are written together. Every other
/// one is stored by itself, after those before it were written: it may change where the next belong.
struct StoringBatch: ~Copyable {
  private let submissions: [PreparedSubmission]
  private let counted: [[Bool]]?
  private(set) var context: StoringContext
  private var known = KnownRows()
  private var window = ReadingWindow()
  /// The submissions that were read, by those keys of their reports of which nothing was read again.
  private var readKeys: [String: [Int]] = [:]
  private var receipts: [Receipt] = []
  /// Submissions with attachments for reports whose rows are not written yet.
  private var unattached: [Int] = []

  /// - Parameter counted: For each submission, which of its reports are only counted; `nil` for none.
  init(
    _ submissions: [PreparedSubmission], counted: [[Bool]]?, _ context: consuming StoringContext
  ) {
    self.submissions = submissions
    self.counted = counted
    self.context = context
  }

  /// Stores all submissions; ``context`` has to be finished afterwards.
  ///
  /// - Returns: A receipt for each, in order.
  mutating func store(in database: borrowing Connection) throws -> [Receipt] {
    for index in submissions.indices {
      if context.readsAhead, let range = window.range(from: index, of: submissions.count) {
        // Bytes that came before are known.
        try write(to: database)
        known = try read(range, in: database)
      }
      receipts.append(try store(index, in: database))
      if !submissions[index].attachments.isEmpty { unattached.append(index) }
    }
    try write(to: database)
    return receipts
  }

  /// Returns the submissions among those read that follow one and have a report with one of some keys. Each key
  /// is only taken once: where its reports are not plain then, reading it after each of them helps none.
  private mutating func take(ofKeys keys: Set<String>, after index: Int) -> [Int] {
    let all = keys.flatMap { readKeys.removeValue(forKey: $0) ?? [] }
    return Set(all.filter { $0 > index }).sorted()
  }

  private mutating func read(
    _ range: Range<Int>, in database: borrowing Connection
  ) throws -> KnownRows {
    readKeys = [:]
    for index in range {
      for report in submissions[index].reports {
        readKeys[report.signature.key, default: []].append(index)
      }
    }
    let found = try context.facts.owned(submissions[range], in: database)
    let known = try KnownRows.read(found, in: database)
    try context.search.read(
      found.lazy.filter { known.state(of: $0.submission, app: $0.app) == .new }
        .flatMap { $0.submission.reports.map(\.entry) }, in: database)
    return known
  }

  private mutating func store(
    _ index: Int, in database: borrowing Connection
  ) throws -> Receipt {
    let submission = submissions[index]
    let counted = counted?[index] ?? []
    if let app = try context.facts.find(submission.app, in: database),
      let receipt = try plain(index, counted: counted, app, in: database)
    {
      return receipt
    }
    try write(to: database)
    let receipt = try CrashStore.Reports.add(
      submission, counted: counted, hasAttachments: !submission.attachments.isEmpty, &context,
      in: database)
    try refresh(after: index, in: database)
    return receipt
  }

  /// Follows a submission that was stored by itself.
  private mutating func refresh(
    after index: Int, in database: borrowing Connection
  ) throws {
    let submission = submissions[index]
    guard !context.hasRearranged,
      let app = try context.facts.find(submission.app, in: database)?.row
    else {
      forget()
      return window.invalidate(at: index)
    }
    let changed = known.forget(submission, app: app)
    let left = take(ofKeys: changed, after: index).map { submissions[$0] }
      .filter { $0.app == submission.app }
    guard !left.isEmpty else { return }
    known.add(
      try KnownRows.read(left.map { ($0, app) }, in: database), ofKeys: changed, app: app)
  }

  private mutating func forget() {
    context.hasRearranged = false
    known = KnownRows()
    readKeys = [:]
  }

  /// Stores a submission that needs no more than what is known; `nil` for any other.
  private mutating func plain(
    _ index: Int, counted: [Bool], _ app: AppsTable.App, in database: borrowing Connection
  ) throws -> Receipt? {
    let submission = submissions[index]
    guard let state = known.state(of: submission, app: app.row) else { return nil }
    let digest = SHA256.hex(submission.digest)
    if CrashStore.Reports.isStored(submission, state) {
      guard let reports = known.reports(of: submission, app: app.row) else { return nil }
      context.sheet.receive(submission, state, counted: counted, app: app.name)
      return Receipt(submission: digest, isDuplicate: true, reports: reports)
    }
    guard state == .new else { return nil }
    if submission.isOnlyCounted(counted) {
      context.sheet.receive(submission, state, counted: counted, app: app.name)
      known.note(.past, of: submission, app: app.row)
      return Receipt(
        submission: digest, isDuplicate: false,
        reports: try CrashStore.Reports.count(
          submission, app: app.row, &context, in: database))
    }
    guard !counted.contains(true), let plain = known.plainReports(of: submission, app: app.row)
    else { return nil }
    context.sheet.receive(submission, state, counted: counted, app: app.name)
    known.note(.stored, of: submission, app: app.row)
    let reports = try add(plain, of: index, app: app.row, in: database)
    return Receipt(submission: digest, isDuplicate: false, reports: reports)
  }

  private mutating func add(
    _ plain: [KnownRows.PlainReport], of index: Int, app: RowID<Tables.Apps>,
    in database: borrowing Connection
  ) throws -> [Receipt.StoredUnder] {
    let submission = submissions[index]
    let row: RowID<Tables.Submissions> = try context.facts.next(.submissions, in: database)
    context.rows.add(submission, row: row, app: app)
    var stored: [Receipt.StoredUnder] = []
    for (position, (report, plain)) in zip(submission.positions, zip(submission.reports, plain)) {
      let origin = plain.place.origin
      let owners = ReportOwners(app: app, submission: row, origin: origin)
      let reportRow = try CrashStore.Reports.insert(
        report, of: submission, owners, position: position, found: .key, &context, in: database)
      if !plain.isStackKnown { context.rows.addStack(of: report, app: app) }
      if plain.isBuildNew { context.rows.addBuild(KnownRows.build(of: report, app: app)) }
      context.counts.add(report.counted, toReleaseOf: app, received: report.received)
      context.counts.add(report.counted, to: origin)
      var (group, groupName) = (origin.group, plain.place.groupName)
      switch plain.keyStack {
      case .known: context.rows.addReport(toKeyStack: KnownRows.keyStack(of: report, app: app))
      case .leftOut: break
      case .unknown:
        known.noteStack(of: report, app: app)
        guard try KeyStacks(of: app).add(report, in: database) else { break }
        group = try CrashStore.Reports.regroup(
          report, row: reportRow, app: app, &context, in: database)
        groupName = try context.facts.name(of: group, in: database)
        if context.hasRearranged {
          forget()
          window.invalidate(at: index + 1)
        }
      }
      if context.isLimited {
        context.rows.count(
          report, day: submission.received.day,
          hasAttachments: !submission.attachments.isEmpty, in: group)
      }
      stored.append(
        Receipt.StoredUnder(
          report: report.id, group: groupName, isNewGroup: false, isRegression: false))
    }
    return stored
  }

  /// Writes the rows of the submissions so far, and their attachments.
  private mutating func write(to database: borrowing Connection) throws {
    try context.writeRows(to: database)
    for index in unattached {
      let submission = submissions[index]
      let app = try context.facts.app(named: submission.app, in: database)
      try CrashStore.Attachments.attach(
        submission.files, toSubmission: submission.digest, app: app.row, context.search,
        in: database, &receipts[index].attachments)
      if context.isLimited, receipts[index].attachments.added > 0 {
        try DailyLimit.noteAttachments(
          ofSubmission: submission.digest, app: app.row, day: submission.received.day,
          in: database)
      }
    }
    unattached = []
  }
}

/// How many submissions are read at a time.
///
/// Rows that were read are out of date when a report moves others, as many do in a new home. So no more
/// submissions are read than about twice as many as were stored before that the last time, and none for a while
/// where the first moved others.
private struct ReadingWindow {
  private static let blindLimit = 64

  private var start = 0
  private var end = 0
  private var length = Int.max
  /// The number of submissions that are stored without reading after the next one that moves others at once.
  private var blind = 1
  /// The first submission for which reading is tried again.
  private var next = 0

  /// Returns the submissions to be read when one is reached, if any.
  mutating func range(from index: Int, of count: Int) -> Range<Int>? {
    guard index >= end, index >= next else { return nil }
    if start < end {
      // All of the last ones went well.
      if length < count { length *= 2 }
      blind = 1
    }
    start = index
    end = index + min(length, count - index)
    return start..<end
  }

  /// A submission moved others.
  mutating func invalidate(at index: Int) {
    guard start < end else { return }
    let stored = index - start
    length = max(1, 2 * stored)
    if stored == 0 {
      next = index + 1 + blind
      blind = min(2 * blind, Self.blindLimit)
    } else {
      blind = 1
    }
    (start, end) = (0, 0)
  }
}
