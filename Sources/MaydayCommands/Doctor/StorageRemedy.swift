import ServerStore

/// What helps where a part of the doctor's work failed: the disk, the permissions, a backup, or us.
enum StorageRemedy {
  /// - Parameter disk: What was found of the disk before.
  static func text(for error: any Error, disk: DoctorFinding) -> String {
    // Whatever is said of a full disk: it is the disk.
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
