package import Bytes
internal import CrashService
package import CrashStore
package import Identifiers
internal import ReportFormats
package import ServerStore
internal import Synchronization

/// The text of `/metrics`. Figures are stored in the home, except those counted since the start.
package struct ServerMetricsText {
  private var text = MetricsText()

  package var bytes: ByteView { text.bytes }

  package init(
    queue: IntakeFigures, ledger: LedgerTotals, reprocessing: Int, server: ServerMetrics,
    now: Timestamp
  ) {
    add(queue, now: now)
    add(ledger)
    text.add(
      "mayday_symbol_cache_uses_total", .counter,
      "Debug file look-ups by the worker process, by whether a cache was available.",
      by: "result",
      ["hit": queue.cachesReady, "made": queue.cachesMade, "damaged": queue.cachesDamaged])
    text.add("mayday_reprocess_waiting", .gauge, "Stored reports to reprocess.", reprocessing)
    text.add(
      "mayday_intake_bytes_total", .counter, "Bytes of submissions since the start.",
      server.acceptedBytes.load(ordering: .relaxed))
    text.add(
      "mayday_intake_refused_total", .counter, "Submissions refused since the start.",
      by: "reason",
      [
        "full": server.refusedFull.load(ordering: .relaxed),
        "rate": server.refusedRate.load(ordering: .relaxed),
        "large": server.refusedLarge.load(ordering: .relaxed),
        "unknown": server.refusedUnknown.load(ordering: .relaxed),
      ])
    text.add(
      "mayday_symbols_added_total", .counter, "Debug files uploaded since the start.",
      server.symbolFiles.load(ordering: .relaxed))
  }

  /// Accepted submissions are stored, known, discarded, erased, waiting, being processed or quarantined.
  private mutating func add(_ queue: IntakeFigures, now: Timestamp) {
    let counts = queue.counts
    text.add(
      "mayday_intake_accepted_total", .counter, "Acknowledged submissions.",
      counts.accepted)
    text.add(
      "mayday_intake_done_total", .counter,
      "Submissions that left the queue, by outcome.",
      by: "outcome",
      [
        "stored": counts.stored, "duplicate": counts.duplicates, "discarded": counts.discarded,
        "erased": counts.erased,
      ])
    text.add(
      "mayday_logs_ignored_total", .counter,
      "Ignored logs of App Center SDKs.", by: "type",
      (AppCenterLogs.ignorableTypes + [AppCenterLogs.unknownType])
        .map { ($0, queue.ignored[$0] ?? 0) })
    text.add("mayday_queue_waiting", .gauge, "Waiting submissions.", counts.waiting)
    text.add("mayday_queue_waiting_bytes", .gauge, "Their bytes.", counts.waitingBytes)
    text.add("mayday_queue_working", .gauge, "Submissions being processed.", counts.working)
    text.add("mayday_queue_quarantined", .gauge, "Quarantined submissions.", counts.quarantined)
    text.add("mayday_queue_quarantined_bytes", .gauge, "Their bytes.", counts.quarantinedBytes)
    let age = counts.oldest.map { max(0, now.seconds - $0.seconds) } ?? 0
    text.add("mayday_queue_oldest_seconds", .gauge, "Age of the oldest one waiting.", Int(age))
    text.add(
      "mayday_storing_seconds", "Time from acknowledging a submission to storing it.",
      queue.filing)
    text.add(
      "mayday_processing_seconds",
      "Processing time of a submission: parsing, symbolication, signature.", queue.work)
  }

  /// Received submissions are stored, already known or refused.
  private mutating func add(_ ledger: LedgerTotals) {
    text.add(
      "mayday_ledger_received_total", .counter,
      "Submissions received over any path, including repeats.",
      ledger.received.count)
    text.add(
      "mayday_ledger_submissions_total", .counter, "Submissions by outcome.", by: "outcome",
      [
        "stored": ledger.stored.count, "duplicate": ledger.duplicates.count,
        "refused": ledger.refused.count, "counted": ledger.counted.count,
      ])
    text.add(
      "mayday_ledger_reports_total", .counter,
      "Reports stored, expired, removed, only counted, and left out of large submissions.",
      by: "event",
      [
        "stored": ledger.reportsStored, "expired": ledger.reportsExpired,
        "removed": ledger.reportsRemoved, "counted": ledger.reportsCounted,
        "left_out": ledger.reportsLeftOut,
      ])
    text.add(
      "mayday_images_total", .counter,
      "Images of reports when they were stored, by whether their debug file was available.",
      by: "symbols",
      ["found": ledger.imagesFound, "missing": ledger.imagesMissing])
  }
}
