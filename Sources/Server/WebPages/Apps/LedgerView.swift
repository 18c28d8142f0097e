internal import Bytes
internal import CrashStore
internal import Rendering

/// The ledger in tables: the sums of all apps, why submissions were refused, and each app.
struct LedgerView {
  let ledger: Ledger
  /// Whether its sums were compared with what is stored.
  let isChecked: Bool

  private static let mostReasons = 200

  var content: HTML {
    guard !ledger.accounts.isEmpty else {
      return "\(outcome)<p class=\"empty\">Nothing has arrived yet.</p>"
    }
    return """
      \(outcome)
      <section><h2>All apps</h2>\(totals)</section>
      \(refusals)
      <section><h2>By app</h2>
      \(ledger.accounts.map { folded($0) })</section>
      """
  }

  // MARK: The comparison

  private var outcome: HTML {
    guard isChecked else { return .none }
    let faults = LedgerText(ledger: ledger).faults
    guard !faults.isEmpty else {
      return "<p class=\"found\" role=\"status\">All sums agree with what is stored.</p>"
    }
    let items = faults.map { "<li>\($0)</li>" as HTML }
    return """
      <div class="message damaged" role="alert"><p>These sums do not agree with what is stored:</p>
      <ul>\(items)</ul></div>
      """
  }

  // MARK: Sums

  private var totals: HTML {
    func sum(_ amount: (LedgerAccount) -> LedgerAmount) -> LedgerAmount {
      ledger.accounts.reduce(into: LedgerAmount()) { sum, account in
        let more = amount(account)
        sum = LedgerAmount(
          count: sum.count.addingClamped(more.count), bytes: sum.bytes.addingClamped(more.bytes))
      }
    }
    var table = Self.table
    add("Received", sum(\.received), to: &table)
    add("Stored", sum(\.stored), to: &table)
    let counted = sum(\.counted.amount)
    if counted.count > 0 { add("Only counted", counted, to: &table) }
    add("Already known", sum(\.duplicates.amount), to: &table)
    add("Refused", sum(\.refused.amount), to: &table)
    add("Kept until now", sum(\.kept), to: &table)
    add("Expired", sum(\.expired.amount), to: &table)
    add("Removed", sum(\.removed), to: &table)
    return table.markup
  }

  private static var table: CardTable {
    CardTable([("Submissions", .text), ("Count", .number), ("Size", .number)])
  }

  private func counted(_ account: LedgerAccount) -> HTML {
    let count = account.reportsCounted.amount.count
    return count == 0 ? .none : " \(PageText.number(count)) more were only counted."
  }

  private func add(_ name: HTML, _ amount: LedgerAmount, to table: inout CardTable) {
    table.add([name, "\(PageText.number(amount.count))", "\(DebugFileList.size(amount.bytes))"])
  }

  // MARK: Reasons

  private var refusals: HTML {
    var parts = ledger.accounts.flatMap { account in
      account.refused.parts.map { (app: account.app, part: $0) }
    }
    guard !parts.isEmpty else { return .none }
    parts.sort { $0.part.amount.count > $1.part.amount.count }
    var table = CardTable([
      ("Reason", .text), ("App", .text), ("Count", .number), ("Size", .number),
    ])
    for (app, part) in parts.prefix(Self.mostReasons) {
      table.add([
        "<span class=\"breaks\">\(LedgerText.word(part.reason))</span>", Self.name(app),
        "\(PageText.number(part.amount.count))", "\(DebugFileList.size(part.amount.bytes))",
      ])
    }
    let left = parts.count - Self.mostReasons
    let rest: HTML =
      left > 0 ? "<p class=\"quiet\">and \(PageText.count(left, "more", "more"))</p>" : .none
    return "<section><h2>Refused</h2>\(table.markup)\(rest)</section>"
  }

  private static func name(_ app: String?) -> HTML {
    app.map { "\($0)" } ?? "<span class=\"quiet\">no app named</span>"
  }

  // MARK: One app

  private func folded(_ account: LedgerAccount) -> HTML {
    var table = Self.table
    func parts(_ total: LedgerTotal) {
      for part in total.parts {
        let words: HTML = "<span class=\"quiet breaks\">– \(LedgerText.word(part.reason))</span>"
        add(words, part.amount, to: &table)
      }
    }
    add("Received", account.received, to: &table)
    add("Stored", account.stored, to: &table)
    if account.counted.amount.count > 0 {
      add("Only counted", account.counted.amount, to: &table)
      parts(account.counted)
    }
    add("Already known", account.duplicates.amount, to: &table)
    parts(account.duplicates)
    add("Refused", account.refused.amount, to: &table)
    parts(account.refused)
    // A submission that is refused before its app is known is not kept.
    if account.app != nil {
      add("Kept until now", account.kept, to: &table)
      add("Expired", account.expired.amount, to: &table)
      parts(account.expired)
      add("Removed", account.removed, to: &table)
    }
    let leftOut = account.reportsLeftOut.parts.reduce(HTML.none) { text, part in
      "\(text) Left out: \(PageText.number(part.amount.count)), \(LedgerText.word(part.reason))."
    }
    let reports: HTML =
      account.app == nil
      ? .none
      : """
      <p class="quiet">Reports in them: \(PageText.number(account.reportsStored)) stored, \
      \(PageText.number(account.reportsKept)) kept until now, \
      \(PageText.number(account.reportsExpired.amount.count)) expired, \
      \(PageText.number(account.reportsRemoved)) removed.\(counted(account))\(leftOut)</p>
      """
    return """
      <details class="report"><summary>\(Self.name(account.app)) \
      <span class="quiet">\(PageText.number(account.received.count)) received, \
      \(PageText.number(account.refused.amount.count)) refused</span></summary>
      \(table.markup)\(reports)</details>

      """
  }
}
