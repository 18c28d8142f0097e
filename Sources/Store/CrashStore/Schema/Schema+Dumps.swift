extension Schema {
  /// Native crashes of App Center's SDKs whose minidumps were stored before there was a reader of these.
  static let dumps = """
    INSERT INTO redo (report)
      SELECT DISTINCT attachments.report FROM attachments
      JOIN reports ON reports.id = attachments.report
      WHERE attachments.name = 'minidump.dmp' AND reports.format = 'appcenter'
      ON CONFLICT DO NOTHING;

    """
}
