extension Schema {
  /// Whose installation attachments and events are from that wait for a report, so that they can be
  /// erased with it.
  static let erasure = """
    ALTER TABLE orphan_attachments ADD COLUMN install BLOB;
    CREATE INDEX orphan_attachments_by_install ON orphan_attachments (install)
      WHERE install IS NOT NULL;
    ALTER TABLE session_events ADD COLUMN install BLOB;

    """
}
