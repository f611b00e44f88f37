/** What a child process of the pool runs. */
import { serveTasks } from './serve-tasks.ts';
import { TASKS } from './tasks.ts';

serveTasks(TASKS);
