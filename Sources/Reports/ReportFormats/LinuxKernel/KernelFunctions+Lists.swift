extension KernelFunctions {
  /// Functions between the bug and its report: the code that reports, and widely used helpers.
  static let machinery = KernelFunctions(machineryNames)
  /// The code that dispatches work.
  static let anchors = KernelFunctions(anchorNames)

  /// Sources: the kernel's own code, and the functions that syzkaller leaves out of its titles.
  private static let machineryNames = [
    // How the kernel reports: sanitizers, warnings, panics, traps, stack dumps.
    "*__sanitizer*", "*__asan*", "*kasan*", "*__msan*", "*kmsan*", "*kcsan_setup_watchpoint*",
    "*ubsan*", "check_memory_region", "check_heap_object", "check_object",
    "check_bytes_and_report", "read_word_at_a_time", "print_address_description*",
    "print_report*", "print_trailer*", "object_err*", "print_usage_bug*", "print_tainted",
    "*panic*", "*invalid_op*", "report_bug", "fixup_bug*", "handle_bug", "do_error*", "do_trap*",
    "*_trap", "show_stack*", "show_regs*", "*dump_stack*", "dump_backtrace*", "unwind_backtrace",
    "*walk_stack*", "arch_stack_walk", "stack_trace_consume_entry", "stack_trace_save*",
    "save_stack*", "save_trace", "*warn_slowpath*", "*warn_alloc*", "*warn_bogus*", "*__warn*",
    "program_check_exception", "program_check_common*", "do_kernel_fault", "do_translation_fault",
    "do_page_fault_error", "*do_mem_abort", "el1_abort", "el1h_64_sync*", "el1_sync*", "el1_da",
    "el1_ia", "el1_dbg", "brk_handler", "bug_handler", "call_break_hook", "do_debug_exception",
    "el1_brk64", "do_el1_brk64", "*should_fail*", "fail_dump", "die", "__die*",
    "die_kernel_fault", "oops_end", "no_context", "bad_area*", "__bad_area*", "*assertfail*",
    "debug_object*", "*debug_object*", "timer_is_private static_object",
    "work_is_private static_object",
    "*ref_tracker*", "*perf_trace*", "hex_dump_to_buffer", "print_hex_dump", "fortify_panic",
    "__fortify_report", "usercopy_abort",
    // Padding before a function, for checks of indirect calls: an address there is that of a call that does
    // not return, in the function above.
    "__cfi_*", "__pfx_*",
    // Starts and ends of sections, in a kernel library without its other symbols.
    "_text", "_stext", "_etext", "_end", "L___asan_gen_*",
    // Rust: functions that raise and print a panic.
    "rust_helper_BUG*", "*rust_begin_unwind*", "*expect_failed*", "*unwrap_failed*",
    "*index_len_fail*", "*index_order_fail*", "*slice_error_fail*",
    // Locks and their checks.
    "*lockdep*", "*lock_acquire*", "*lock_release*", "*lock_class*", "*mark_lock*",
    "*held_locks*", "*print_unlock*", "*imbalance_bug*", "print_circular_bug*",
    "print_bad_irq_dependency", "check_prev_add", "check_prevs_add", "check_noncircular",
    "validate_chain", "__lock_acquire", "check_usage*", "*bh_enable*", "*bh_disable*",
    "*raw_spin_rq*", "*spin_lock*", "*spin_trylock*", "*spin_unlock*", "*read_lock*",
    "*read_trylock*", "*write_lock*", "*write_trylock*", "*read_unlock*", "*write_unlock*",
    "down", "*down_read*", "*down_write*", "*down_trylock*", "*up_read*", "*up_write*", "mutex_*",
    "__mutex_*", "rt_mutex_*", "*owner_on_cpu*", "*osq_lock*", "*osq_unlock*", "lock_page*",
    "unlock_page*", "folio_lock*", "folio_unlock*", "*trace_hardirq*", "*trace_softirq*",
    "*might_fault*", "*might_sleep*", "*might_resched*", "*__wake_up*", "complete",
    "*wait_for_completion*", "finish_wait",
    // Memory.
    "*alloc_page*", "*get_free_page*", "*kmalloc*", "*kzalloc*", "*kcalloc*", "*kvmalloc*",
    "*vmalloc*", "*vzalloc*", "*krealloc*", "*kmem_cache*", "*allocate_slab*", "*slab_*",
    "*folio_alloc*", "filemap_alloc_folio", "__filemap_get_folio*", "find_or_create_page",
    "do_read_cache_folio", "read_cache_page*", "pagecache_get_page",
    "grab_cache_page_write_begin", "find_lock_entries", "truncate_inode_pages_range", "xas_start",
    "xas_load", "xas_find", "kfree", "kvfree", "kfree_skb*", "sk_skb_reason_drop", "*memcpy*",
    "*memcmp*", "*memset*", "*memchr*", "*memmove*", "*memdup*", "*copy_to_user*",
    "*copy_from_user*", "*copy_to_iter*", "*copy_from_iter*", "*copy_page_to_iter*",
    "*copy_page_from_iter*", "*copy_folio_to_iter*", "copyin", "copyout", "*put_user*",
    "*get_user*", "instrument_*",
    // Strings, lists, counters, bits.
    "*strcmp*", "*strncmp*", "*strcpy*", "*strlcpy*", "*strncpy*", "*strscpy*", "*strlen*",
    "*strstr*", "*strnstr*", "*strnlen*", "*strchr*", "*strdup*", "*strndup*", "*string*",
    "*pointer*", "*snprintf*", "*scnprintf*", "*kasprintf*", "*printk*", "*va_format*",
    "*list_add*", "*list_del*", "*list_replace*", "*list_move*", "*list_splice*", "rb_*",
    "__rb_*", "klist_*", "refcount_*", "__refcount_*", "kref_*", "*atomic_dec*", "*atomic_inc*",
    "*atomic_read*", "*atomic_set*", "*atomic_add*", "*atomic_sub*", "*atomic_try*",
    "*atomic64_*", "*atomic_fetch*", "*atomic_cmpxchg*", "*atomic_xchg*", "*set_bit*",
    "*clear_bit*", "*change_bit*", "*test_bit*", "*seqprop_assert*", "*_indirect_thunk_*",
    "readb", "readw", "readl", "readq", "writeb", "writew", "writel", "writeq", "*logic_in*",
    "*logic_out*", "crc32*", "crc16*", "crc_t10dif*", "*crc_itu_t*", "ida_free", "idr_remove",
    "cleanup_srcu_struct",
    // Helpers used by drivers and devices: the bug is in their callers.
    "*dev_info*", "*dev_notice*", "*dev_warn*", "*dev_err*", "*dev_alert*", "*dev_crit*",
    "*dev_emerg*", "*kobject_*", "*add_uevent_var*", "*get_device_parent*", "*device_add*",
    "*device_del*", "*device_unregister*", "*device_destroy*", "*device_release*",
    "*devres_release_all*", "*device_for_each_child*", "*device_remove_file*", "*sysfs_remove*",
    "*hwrng_unregister*", "*i2c_del_adapter*", "*__unregister_client*", "*rollback_registered*",
    "*unregister_netdev*", "*tty_unregister_device*", "*dummy_urb_enqueue*", "*usb_kill_urb*",
    "*usb_kill_anchored_urbs*", "*usb_control_msg*", "*usb_hcd_submit_urb*", "*usb_submit_urb*",
    "*del_timer*", "*flush_work*", "*cancel_work*", "*try_to_grab_pending*", "*drain_workqueue*",
    "*destroy_workqueue*", "*queue_work*", "*queue_delayed_work*", "insert_work",
    "*kthread_stop*", "iput", "iput_final", "ihold",
  ]

  /// The function before one of these is the work that ran for too long.
  private static let anchorNames = [
    // The code that dispatches work: the function before it is the work that ran for too long.
    "*process_one_work*", "*do_syscall_*", "*do_fast_syscall_*", "*sysenter_dispatch*",
    "*tracesys_phase2*", "*el0_svc_handler*", "*invoke_syscall*", "*ret_fast_syscall*",
    "*entry_SYSCALL*", "system_call_fastpath", "sysenter_do_call", "*netif_receive_skb*",
    "*do_softirq*", "*call_timer_fn*", "*_run_timers*", "*run_timer_softirq*", "*hrtimer_run*",
    "*run_ksoftirqd*", "*smpboot_thread_fn*", "kthread", "*start_secondary*",
    "*cpu_startup_entry*", "*ret_from_fork*", "*vfs_write*", "*vfs_read*", "*vfs_iter_read*",
    "*vfs_iter_write*", "*do_iter_read*", "*do_iter_write*", "*call_read_iter*",
    "*call_write_iter*", "*new_sync_read*", "*new_sync_write*", "*vfs_ioctl*", "*ksys_ioctl*",
    "*compat_ioctl*", "*compat_sys_ioctl*", "*blkdev_driver_ioctl*", "*blkdev_ioctl*",
    "call_mmap*", "*mmap_region*", "*do_mmap*", "*do_dentry_open*", "*vfs_open*", "sock_sendmsg*",
    "sock_recvmsg*", "sock_release*", "__sock_release*", "setsockopt", "*kernel_setsockopt*",
    "*sock_common_setsockopt*", "listen", "*kernel_listen*", "*sk_common_release*", "sock_mmap*",
    "accept", "*kernel_accept*", "sock_do_ioctl*", "sock_ioctl*", "compat_sock_ioctl*",
    "nfnetlink_rcv_msg*", "rtnetlink_rcv_msg*", "netlink_dump*", "socketpair*", "connect*",
    "ioctl*", "sys_socketpair*", "sys_connect*", "sys_ioctl*", "*__do_fault*", "*do_page_fault*",
    "page_fault", "*__fput*", "*task_work_run*", "*exit_to_usermode*", "*smp_call_function*",
    "*tasklet_action*", "*tasklet_hi_action*",
  ]
}
