package io.dure.node.binding;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which GPUs each task sees, as a Slurm 22.05 showed it. */
@Tag("pure")
class GpuBindingTest {
  private static final List<Integer> FOUR = List.of(0, 1, 2, 3);

  private static GpuBinding bound(String text, List<Integer> gpus, int tasks) {
    return GpuBinding.of(text, gpus, tasks, _ -> gpus.subList(0, 1), false);
  }

  private static String seen(String text, int tasks) {
    return bound(text, FOUR, tasks).visible().toString().replace(" ", "");
  }

  @Test
  void aTaskSeesWhatItsBindingSays() {
    assertEquals("[[0,1,2,3],[0,1,2,3]]", seen("", 2));
    assertEquals("[[0,1,2,3]]", seen("none", 1));
    assertEquals("[[0]]", seen("closest", 1));
    assertEquals("[[0],[1],[2],[3],[0]]", seen("single:1", 5));
    assertEquals("[[0],[0],[1]]", seen("single:2", 3));
    assertEquals("[[0,1],[2,3],[0,1]]", seen("per_task:2", 3));
    assertEquals("[[3],[1],[3]]", seen("map_gpu:3,1", 3));
    assertEquals("[[3],[3],[1]]", seen("map_gpu:3*2,1", 3));
    assertEquals("[[0,1],[2]]", seen("mask_gpu:0x3,0x4", 2));
  }

  @Test
  void aDeviceThatTheStepLacksIsReplacedAndThatIsSaid() {
    GpuBinding bound = bound("mask_gpu:0x4,0x3", List.of(2, 3), 2);
    assertEquals(List.of(List.of(2), List.of(2)), bound.visible());
    assertEquals(List.of(), bound.notes().get(0));
    assertEquals(
        List.of(
            "slurmstepd: error: Bind request gpu:mask_gpu:0x4,0x3 does not specify any devices"
                + " within the allocation for task 1. Binding to the first device in the"
                + " allocation instead."),
        bound.notes().get(1));
  }

  @Test
  void verboseTellsEachTask() {
    assertEquals(
        List.of(
            "gpu-bind: usable_gres=0x2; bit_alloc=0xF; local_inx=0; global_list=1; local_list=1"),
        bound("verbose,single:1", FOUR, 2).notes().get(1));
  }

  @Test
  void withoutGpusThereIsNothingToSee() {
    GpuBinding bound = bound("verbose,map_gpu:1", List.of(), 1);
    assertEquals(List.of(List.of()), bound.visible());
    assertEquals(List.of(List.of()), bound.notes());
  }

  @Test
  void whereNoOthersCanBeOpenedTheyAreNumberedFromZero() {
    List<Integer> own = List.of(1, 3);
    GpuBinding map = GpuBinding.of("verbose,map_gpu:1,0,3", own, 3, _ -> own, true);
    assertEquals(List.of(List.of(3), List.of(1), List.of(1)), map.visible());
    assertEquals(
        List.of(
            "gpu-bind: usable_gres=0x8; bit_alloc=0xA; local_inx=1; global_list=3; local_list=1"),
        map.notes().getFirst());
    assertEquals(
        List.of(List.of(1, 3)), GpuBinding.of("mask_gpu:0x3", own, 1, _ -> own, true).visible());
    assertEquals(
        List.of(List.of(1), List.of(3)),
        GpuBinding.of("single:1", own, 2, _ -> own, true).visible());
    assertEquals(List.of(1, 0), GpuBinding.local(List.of(3, 1), own));
  }
}
