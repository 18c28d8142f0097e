import ServerStore

/// The remedy where a part of the doctor's work failed: the disk, the permissions, a backup, or a
/// bug report.
enum StorageRemedy {
  /// - Parameter disk: The earlier finding about the disk.
  static func text(for error: any Error, disk: DoctorFinding) -> String {
    // Every error on a full disk has the same remedy.
    if disk.verdict == .failed, let remedy = disk.remedy { return remedy }
    return switch StorageCause(of: error) {
    case .noRoom: DoctorFinding.room
    case .readOnly:
      "see that the user of the server may write there, and that the disk is not read-only"
    case .damaged: "it is damaged: stop everything and mayday restore a backup"
    case .disk: "see the disk: df, dmesg; then run this again"
    case .locked: "see which process holds it for so long, and run this again"
    case nil: "this is a bug in Mayday; please report it with this output"
    }
  }
}
