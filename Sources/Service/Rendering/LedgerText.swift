internal import Bytes
internal import CrashService
package import CrashStore

/// The ledger as text.
package struct LedgerText {
  package let ledger: Ledger
  /// Whether its sums were compared with what is stored.
  package var isChecked = true

  package func lines(width: Int, styles: Styles) -> [String] {
    var lines: [String] = []
    for account in ledger.accounts {
      if !lines.isEmpty { lines.append("") }
      lines.append(styles.strong(account.app?.printable ?? "(no app named)"))
      lines += rows(of: account).map { row in
        let label = String(repeating: " ", count: row.indent) + row.label
        let text =
          "  " + label.truncated(to: 42).padded(to: 42)
          + String(row.count).padded(to: 10, right: true)
        let size = row.bytes.map { DebugFileList.size($0).padded(to: 12, right: true) } ?? ""
        return row.indent > 0 ? text + size : styles.strong(text) + size
      }
    }
    guard isChecked else { return lines }
    if !ledger.accounts.isEmpty { lines.append("") }
    lines.append(
      ledger.faults.isEmpty
        ? styles.good("ok: all sums agree with what is stored") : styles.danger("wrong"))
    return lines
  }

  /// Each incorrect sum, one per line.
  package var faults: [String] {
    ledger.faults.map { fault in
      "\(fault.app?.printable ?? "(no app named)"): \(fault.what.printable): "
        + "\(fault.ledger) in the books, \(fault.counted) counted"
    }
  }

  private struct Row {
    var label: String
    var count: Int
    var bytes: Int?
    var indent = 0
    /// Whether the row is shown: reasons that never occurred are not, sums and their rest are.
    var isTold: Bool { count != 0 || indent == 0 || label == "kept" || label == "stored" }
  }

  private func rows(of account: LedgerAccount) -> [Row] {
    func row(_ label: String, _ amount: LedgerAmount, indent: Int = 2) -> Row {
      Row(label: label, count: amount.count, bytes: amount.bytes, indent: indent)
    }
    func parts(_ total: LedgerTotal, hasBytes: Bool = true) -> [Row] {
      total.parts.map { part in
        Row(
          label: Self.word(part.reason), count: part.amount.count,
          bytes: hasBytes ? part.amount.bytes : nil, indent: 4)
      }
    }
    var rows = [row("submissions received", account.received, indent: 0)]
    rows.append(row("stored", account.stored))
    rows.append(row("only counted", account.counted.amount))
    rows += parts(account.counted)
    rows.append(row("known before", account.duplicates.amount))
    rows += parts(account.duplicates)
    rows.append(row("refused", account.refused.amount))
    rows += parts(account.refused)
    guard account.app != nil else { return rows.filter(\.isTold) }
    rows.append(row("submissions stored", account.stored, indent: 0))
    rows.append(row("kept", account.kept))
    rows.append(row("expired", account.expired.amount))
    rows += parts(account.expired)
    rows.append(row("removed", account.removed))
    rows.append(Row(label: "reports in submissions stored", count: account.reportsStored))
    rows.append(Row(label: "kept", count: account.reportsKept, indent: 2))
    rows.append(
      Row(label: "expired", count: account.reportsExpired.amount.count, indent: 2))
    rows += parts(account.reportsExpired, hasBytes: false)
    rows.append(Row(label: "removed", count: account.reportsRemoved, indent: 2))
    if account.reportsCounted.amount.count > 0 {
      rows.append(Row(label: "reports only counted", count: account.reportsCounted.amount.count))
      rows += parts(account.reportsCounted, hasBytes: false)
    }
    rows.append(
      Row(label: "reports left out, not stored", count: account.reportsLeftOut.amount.count))
    rows += parts(account.reportsLeftOut, hasBytes: false)
    return rows.filter(\.isTold)
  }

  /// Returns the text of a reason; those of refusals are sentences already.
  package static func word(_ reason: String) -> String {
    switch ExpiryReason(rawValue: reason) {
    case .age: "too old"
    case .group: "too many in the group"
    case .space: "too much room"
    case nil: reason.printable
    }
  }

  package init(ledger: Ledger) {
    self.ledger = ledger
  }
}
